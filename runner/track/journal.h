#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace knead::track {

/// Receives the text of a warning, one sentence without a newline.
using Warn = std::function<void(const std::string&)>;

/// Appends lines, mostly JSON, to a file of mode 0600. Each line is one write, so that a reader
/// does not see a part of it and a crash leaves at most a torn last line. NaN and infinities, which
/// JSON lacks, are the strings NaN, Infinity and -Infinity.
///
/// A write or sync that fails (a full disk) does not throw: the journal counts it, warns the first
/// time, and keeps the line in memory, which it writes with a later line or sync that works. Of
/// more than 16 MiB of such lines it warns again and omits them. Not thread-safe.
class Journal {
 public:
  /// Means, as `end` of the constructor, that all whole lines are kept.
  static constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();

  /// Opens or creates `path` and truncates it to `end` bytes, then to the end of its last whole
  /// line. Warns about a file that is shorter than `end`, because a power cut took lines that were
  /// not synced, and continues behind it. Throws knead::Error if the file cannot be opened or cut.
  Journal(std::filesystem::path path, std::uint64_t end, Warn warn);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Appends one line of JSON with its newline. Replaces bytes that are not UTF-8, so that a name
  /// in the line cannot end a run. On return the line is in the file, but it is durable only after
  /// sync().
  void append(const nlohmann::ordered_json& line);

  /// Appends a record of another format: a line with its newline, or arbitrary bytes if the file is
  /// never opened again, because the constructor cuts a file to its last newline.
  void append_record(std::string_view record);

  /// Writes lines that wait, and makes all durable (fdatasync).
  void sync();

  /// Returns the length of the file in bytes without lines that wait: the offset of the next line,
  /// which a checkpoint stores as the journal's position.
  std::uint64_t offset() const { return offset_; }

  /// Returns the number of failed writes and syncs.
  std::uint64_t failures() const { return failures_; }

 private:
  /// Writes the lines that wait.
  void write_waiting();

  /// Returns false, with errno set, if the text could not be written; then cuts off what was.
  bool write_all(std::string_view text);

  /// Counts a failure, and warns about the first.
  void fail(const char* what);

  std::filesystem::path path_;
  Warn warn_;
  int file_ = -1;
  std::uint64_t offset_ = 0;
  bool is_torn_ = false;  // behind offset_ the file has a part of a failed line
  std::uint64_t failures_ = 0;
  std::string waiting_;  // lines that could not be written yet
};

/// Returns a number as a journal holds it: a number, or the string NaN, Infinity or -Infinity.
nlohmann::ordered_json number_as_json(double value);

/// Converts a value that number_as_json() made back to a number. Throws nlohmann::json::exception
/// for any other value.
double number_from_json(const nlohmann::ordered_json& value);

}  // namespace knead::track
