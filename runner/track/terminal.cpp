#include "runner/track/terminal.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace knead::track {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

int columns_of_standard_error() {
  winsize size{};
  // 80 columns, the width of a classic terminal, where the system does not tell one.
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void write_to_standard_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

double seconds_since_start() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace

Terminal standard_error() {
  // Standard output stays free for what a verb was asked for, such as a table.
  // A kernel of Jupyter knows the process that started it by this variable, and passes it on.
  return {.is_live = is_live(STDERR_FILENO),
          .columns = columns_of_standard_error,
          .write = write_to_standard_error,
          .now = seconds_since_start,
          .can_erase = !is_set("JPY_PARENT_PID")};
}

bool is_live(int stream) {
  const char* term = std::getenv("TERM");
  const bool dumb = !term || !*term || std::string_view(term) == "dumb";
  return isatty(stream) && !dumb && !is_set("NO_COLOR") && !is_set("CI");
}

std::string foldable(const std::string& text) {
  return is_set("GITHUB_ACTIONS") ? "::group::" + text + "::endgroup::\n" : text;
}

}  // namespace knead::track
