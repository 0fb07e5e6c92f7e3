#include "runner/files/reading.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

namespace knead::files {
namespace {

std::string& now_read() {
  static std::string name;
  return name;
}

/// Returns a descriptor of the launcher's file; -1 without one.
int launchers_file() {
  static const int file = [] {
    const char* const path = std::getenv("KNEAD_STEPS");
    return path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  }();
  return file;
}

void tell(const std::string& name) {
  const int file = launchers_file();
  const off_t end = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  if (end < static_cast<off_t>(kMostOfReading)) return;
  std::array<char, kMostOfReading> text{};
  std::copy_n(name.data(), std::min(name.size(), text.size() - 1), text.data());
  // A failure leaves a message without the name.
  [[maybe_unused]] const ssize_t written =
      pwrite(file, text.data(), text.size(), end - static_cast<off_t>(text.size()));
}

}  // namespace

Reading::Reading(std::string_view name) : before_(now_read()) {
  now_read() = name;
  tell(now_read());
}

Reading::~Reading() {
  now_read() = before_;
  tell(now_read());
}

}  // namespace knead::files
