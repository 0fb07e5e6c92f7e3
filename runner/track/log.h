#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace spdlog {
class logger;
}

namespace knead::track {

inline constexpr const char* kLogFile = "log.txt";

/// Appends the console's lines of all starts of a run to a file of mode 0600, with local date and
/// time. A line is in the file when write() returns; one that cannot be written is lost. Not
/// thread-safe.
class Log {
 public:
  /// Opens or creates the file, unless `path` is a symbolic link. Does not throw if that fails.
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
