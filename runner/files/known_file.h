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

/// What a file held when all of it was read. By this it is seen later whether it still does, mostly
/// without reading it: the digest tells, and the stamp saves computing it.
struct KnownFile {
  std::uint64_t size = 0;
  std::string digest;  // XXH3-128 of its bytes
  std::string stamp;   // OpenFile::stamp(); empty where it was too young to tell anything
};

/// Reads a file from its beginning to its end, which then is known. The file must outlive it.
class KnowingReader {
 public:
  explicit KnowingReader(const OpenFile& file);

  /// The next bytes, until the next call; none at the end.
  std::span<const std::byte> next();
  std::uint64_t bytes_read() const { return at_; }
  /// At the end. Throws knead::Error where the file was written to meanwhile.
  KnownFile known() const;

 private:
  const OpenFile& file_;
  std::string stamp_;  // of before: who writes while it is read changes it
  std::uint64_t at_ = 0;
  std::vector<std::byte> block_;
  RunningDigest digest_;
};

/// Whether a file holds what it held. Reads it where the stamp is another one, which then becomes
/// that of now; `before_reading` is called first.
bool is_still(const OpenFile& file, KnownFile& known, const std::function<void()>& before_reading);

nlohmann::json to_json(const KnownFile& known);
/// Throws nlohmann::json::exception where it is none.
KnownFile known_file_in(const nlohmann::json& json);

}  // namespace knead::files
