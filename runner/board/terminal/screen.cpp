#include "runner/board/terminal/screen.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::board {
namespace {

// ?1049 the alternate screen, ?25 the cursor, ?7 wrapping at the right edge, ?2026 nothing is shown
// before the end of a frame, where the terminal knows that.
constexpr std::string_view kEnter = "\033[?1049h\033[?25l\033[?7l\033[0m\033[2J";
constexpr std::string_view kLeave = "\033[0m\033[?7h\033[?25h\033[?1049l";
constexpr std::string_view kBeginFrame = "\033[?2026h";
constexpr std::string_view kEndFrame = "\033[?2026l";

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Returns whether the terminal may not have braille: its locale is not UTF-8, or it is the console
/// of Linux, whose fonts have 512 characters.
bool lacks_braille() {
  if (variable("TERM") == "linux") return true;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = variable(name);
    if (locale.empty()) continue;
    return locale.find("UTF-8") == locale.npos && locale.find("utf8") == locale.npos &&
           locale.find("UTF8") == locale.npos && locale.find("utf-8") == locale.npos;
  }
  return false;  // a container without a locale, whose terminal is of another machine
}

sigset_t held_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH})
    sigaddset(&set, signal);
  return set;
}

}  // namespace

bool can_draw() {
  const std::string_view term = variable("TERM");
  return ::isatty(STDOUT_FILENO) && !term.empty() && term != "dumb" && variable("CI").empty();
}

Screen::Screen()
    : keyboard_(::isatty(STDIN_FILENO) ? STDIN_FILENO : ::open("/dev/tty", O_RDONLY | O_CLOEXEC)),
      has_colour_(variable("NO_COLOR").empty()),
      is_ascii_(lacks_braille()) {
  const sigset_t held = held_signals();
  signals_ = ::signalfd(-1, &held, SFD_NONBLOCK | SFD_CLOEXEC);
  if (signals_ < 0)
    throw Error(fmt::format("cannot wait for signals: {}", std::strerror(errno)), "");
  ::pthread_sigmask(SIG_BLOCK, &held, &old_mask_);
  enter();
}

Screen::~Screen() {
  leave();
  ::close(signals_);
  if (keyboard_ > STDIN_FILENO) ::close(keyboard_);
  ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void Screen::enter() {
  if (keyboard_ >= 0 && ::tcgetattr(keyboard_, &old_settings_) == 0) {
    termios settings = old_settings_;
    // ISIG stays: ^C and ^Z are signals.
    settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    settings.c_cc[VMIN] = 0;
    settings.c_cc[VTIME] = 0;
    ::tcsetattr(keyboard_, TCSADRAIN, &settings);
  }
  is_entered_ = true;
  write(kEnter);
  shown_.clear();
}

void Screen::leave() {
  if (!is_entered_) return;
  is_entered_ = false;
  write(kLeave);
  if (keyboard_ >= 0) ::tcsetattr(keyboard_, TCSADRAIN, &old_settings_);
}

void Screen::stop() {
  leave();
  // Sent to this process again, now with its usual effect: it returns from here when it goes on.
  sigset_t stopping;
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGTSTP);
  ::raise(SIGTSTP);
  ::pthread_sigmask(SIG_UNBLOCK, &stopping, nullptr);
  ::pthread_sigmask(SIG_BLOCK, &stopping, nullptr);
  enter();
}

ScreenSize Screen::size() const {
  winsize size{};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return {is_known ? size.ws_col : std::size_t{80},
          is_known && size.ws_row > 0 ? size.ws_row : std::size_t{24}, has_colour_, is_ascii_};
}

void Screen::show(const std::vector<Line>& lines) {
  std::string frame = shown_.empty() ? "\033[2J" : "";
  for (std::size_t row = 0; row < lines.size(); ++row) {
    if (row < shown_.size() && shown_[row] == lines[row].text()) continue;
    frame += fmt::format("\033[{};1H{}", row + 1, lines[row].text());
    // After the last column the cursor stays on its character, which would be cleared.
    if (lines[row].columns() < lines[row].width()) frame += "\033[K";
  }
  shown_.clear();
  for (const Line& line : lines) shown_.push_back(line.text());
  if (frame.empty()) return;
  write(std::string(kBeginFrame) + frame + std::string(kEndFrame));
}

void Screen::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      pollfd out{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&out, 1, 1000);
      continue;
    }
    if (written < 0) {
      is_gone_ = true;
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

Screen::Events Screen::wait(int descriptor, int milliseconds) {
  Events events;
  pollfd waits[] = {{signals_, POLLIN, 0}, {keyboard_, POLLIN, 0}, {descriptor, POLLIN, 0}};
  ::poll(waits, 3, milliseconds);
  if (waits[1].revents != 0) read_keys(events);
  if (waits[0].revents != 0) read_signals(events);
  if (is_gone_ && events.end == 0) events.end = SIGHUP;
  return events;
}

void Screen::read_keys(Events& events) {
  char bytes[256];
  const ssize_t n = ::read(keyboard_, bytes, sizeof bytes);
  if (n > 0) {
    pending_.append(bytes, static_cast<std::size_t>(n));
    events.keys = take_keys(pending_);
  } else if (n == 0 || errno != EINTR) {
    is_gone_ = true;  // readable without bytes: the terminal has hung up
  }
}

void Screen::read_signals(Events& events) {
  signalfd_siginfo signal{};
  while (::read(signals_, &signal, sizeof signal) == sizeof signal) {
    switch (signal.ssi_signo) {
      case SIGWINCH: events.is_resized = true; break;
      case SIGCONT:
        forget();
        events.is_resized = true;
        break;
      case SIGTSTP:
        stop();
        events.is_resized = true;
        break;
      default: events.end = static_cast<int>(signal.ssi_signo);
    }
  }
}

}  // namespace knead::board
