#include "runner/track/log.h"

#include <ctime>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace knead::track {

Log::Log(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600)) {}

Log::~Log() {
  if (file_ >= 0) ::close(file_);
}

void Log::write(std::string_view line) {
  if (file_ < 0) return;
  const std::string text =
      fmt::format("{:%Y-%m-%d %H:%M:%S}  {}\n", fmt::localtime(std::time(nullptr)), line);
  [[maybe_unused]] const ssize_t written = ::write(file_, text.data(), text.size());
}

}  // namespace knead::track
