#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "runner/files/digest.h"
#include "runner/files/open_file.h"

namespace knead::files {

/// Records the content of a file that was read completely, so that a later run can tell whether the
/// file changed. The digest decides; an equal stamp makes reading the file unnecessary. The record
/// has no path: the caller keeps the two together.
struct KnownFile {
  std::uint64_t size = 0;
  std::string digest;  // XXH3-128 of its bytes
  std::string stamp;   // OpenFile::stamp(); empty if the file was too young to rely on it
};

/// Reads a file from beginning to end and computes its KnownFile, so that a caller that reads a
/// file anyway records it in the same pass. Call next() until it returns an empty span, then
/// known(). Borrows the file, which must outlive the reader.
class KnowingReader {
 public:
  explicit KnowingReader(const OpenFile& file);

  /// Returns the next bytes, valid until the next call; an empty span at the end. Throws
  /// knead::Error if the file cannot be read.
  std::span<const std::byte> next();
  /// Returns how many bytes next() has returned so far.
  std::uint64_t bytes_read() const { return at_; }
  /// Returns the record of the file; call it after next() has reached the end. Throws knead::Error
  /// if the file was written to since it was opened.
  KnownFile known() const;

 private:
  const OpenFile& file_;
  std::string stamp_;  // taken before reading: a later write gives another stamp
  std::uint64_t at_ = 0;
  std::vector<std::byte> block_;
  RunningDigest digest_;
};

/// Returns whether a file still has the recorded content. A different size is the answer at once,
/// and so is an equal stamp. Otherwise calls `before_reading`, for a message about a long wait,
/// reads the file, and stores its present stamp in `known` if the content is the recorded one. A
/// false answer leaves `known` as it was. Throws knead::Error if the file cannot be read or changes
/// meanwhile.
bool is_still(const OpenFile& file, KnownFile& known, const std::function<void()>& before_reading);

/// Returns the record as an object with the keys size, digest and stamp.
nlohmann::json to_json(const KnownFile& known);
/// Reads a record that to_json() wrote. Throws nlohmann::json::exception if a key is missing or has
/// another type.
KnownFile known_file_in(const nlohmann::json& json);

}  // namespace knead::files
