#pragma once

#include <filesystem>
#include <string_view>

namespace knead::track {

inline constexpr const char* kLogFile = "log.txt";

/// What a run said, over all its starts: a line each with the date and time of day, at the end of a
/// file. For people to look back at; a line that cannot be written is lost. Mode 0600. One thread.
class Log {
 public:
  explicit Log(const std::filesystem::path& path);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void write(std::string_view line);

 private:
  int file_;
};

}  // namespace knead::track
