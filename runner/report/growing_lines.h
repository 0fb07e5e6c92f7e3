#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "runner/report/contained_files.h"

namespace knead::report {

/// Reads the lines of a file that may still grow, each once, in bounded memory. A last line without
/// a newline is still being written and is left for the next call. Not thread-safe.
class GrowingLines {
 public:
  /// Longer lines are left out: knead writes none, so the file is not its own.
  static constexpr std::size_t kLongestLine = 64 << 10;

  /// Lists the results of read_on().
  enum class Found {
    more,      // the lines that were appended since the last call, possibly none
    restarted  // another file, or the file was cut back: all lines were read from the beginning
  };

  /// Borrows `files`. `path` is a path below its root.
  GrowingLines(ContainedFiles& files, std::filesystem::path path,
               std::size_t longest = kLongestLine)
      : files_(files), path_(std::move(path)), longest_(longest) {}

  /// Calls `take` for each new line, without its newline. `restart` is called before the lines if
  /// the file is another one than before, so that the caller can forget what it has. A missing file
  /// has no lines. Throws files::FileError.
  Found read_on(
      const std::function<void(std::string_view)>& take,
      const std::function<void()>& restart = [] {});

  /// Returns how many lines were left out because they are too long.
  std::uint64_t too_long() const { return too_long_; }

 private:
  /// Returns whether the bytes before the offset are those that were read.
  bool is_continued(int file) const;
  void read_from(int file, const std::function<void(std::string_view)>& take);
  /// Splits what was read, and keeps the beginning of a line for the next piece.
  void take_lines(std::string_view piece, const std::function<void(std::string_view)>& take);

  ContainedFiles& files_;
  std::filesystem::path path_;
  std::size_t longest_;
  std::uint64_t offset_ = 0;     // of the first byte that was not read
  std::string tail_;             // the last bytes before the offset
  std::string rest_;             // the beginning of a line that is not whole yet
  bool is_inside_long_ = false;  // the line that goes on was too long before its newline
  std::uint64_t too_long_ = 0;
};

}  // namespace knead::report
