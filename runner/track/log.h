#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace spdlog {
class logger;
}

namespace knead::track {

/// Name of the log in the folder of a run.
inline constexpr const char* kLogFile = "log.txt";

/// Appends the console's lines of all starts of a run to a file of mode 0600: local date and time,
/// two blanks, the line. A line is in the file when write() returns; one that cannot be written is
/// lost without a message, because the log must not disturb a run. A resume does not cut the log
/// back. Not thread-safe.
class Log {
 public:
  /// Opens or creates the file, unless `path` is a symbolic link. Does not throw if that fails:
  /// write() then has no effect.
  explicit Log(const std::filesystem::path& path);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Appends a line, which has no newline of its own.
  void write(std::string_view line);

 private:
  std::unique_ptr<spdlog::logger> logger_;  // null if the file is not open
};

}  // namespace knead::track
