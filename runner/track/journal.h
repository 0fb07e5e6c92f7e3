#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace knead::track {

/// Where a warning goes.
using Warn = std::function<void(const std::string&)>;

/// A file of lines, JSON mostly, that only grows, each line by one write, so that a reader never
/// sees half of one and a crash leaves at most a torn last line. Mode 0600. NaN and the infinities,
/// which JSON does not have, are written as the texts NaN, Infinity and -Infinity.
///
/// Training does not depend on it: a write or sync that fails (a full disk) is warned about once
/// and counted, the line is left out, and later ones are tried again. On one thread.
class Journal {
 public:
  static constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();

  /// Opens or creates `path`. What is behind byte `end` is cut off, and so is a last line without
  /// an end. A file that is shorter than `end` (a power cut took lines that were never synced) is
  /// warned about and kept as it is; kEverything keeps all whole lines of any file. Throws
  /// knead::Error where the file cannot be opened.
  Journal(std::filesystem::path path, std::uint64_t end, Warn warn);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// One line more.
  void append(const nlohmann::ordered_json& line);

  /// A record of another form: a line with its end; or bytes, in a file that is never opened again.
  void append_record(std::string_view record);

  /// What was appended survives a power cut.
  void sync();

  /// The length of the file in bytes: where the next line begins.
  std::uint64_t offset() const { return offset_; }

  /// Lines that could not be written, and syncs that failed.
  std::uint64_t failures() const { return failures_; }

 private:
  bool write_all(std::string_view text);
  void fail(const char* what);

  std::filesystem::path path_;
  Warn warn_;
  int file_ = -1;
  std::uint64_t offset_ = 0;
  bool is_torn_ = false;  // behind offset_ there is the beginning of a line that failed
  std::uint64_t failures_ = 0;
};

/// A number as a journal holds it: a number, or the text NaN, Infinity or -Infinity.
nlohmann::ordered_json number_as_json(double value);

/// The way back. Throws nlohmann::json::exception where it is neither.
double number_from_json(const nlohmann::ordered_json& value);

}  // namespace knead::track
