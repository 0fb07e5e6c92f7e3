// `knead watch` in a terminal of its own: what it leaves behind when it ends.

#include <chrono>
#include <cstdlib>

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/board/written_run.h"
#include "tests/folder.h"

using namespace knead;
using tests::WrittenRun;

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnter = "\033[?1049h";
constexpr const char* kLeave = "\033[?1049l";

/// Runs knead watch as a shell does, in a process group of its own: one whose parent is not in its
/// session cannot be stopped. Prints STOPPED when it is, and exits as it does.
[[noreturn]] void run_as_a_shell(const fs::path& folder) {
  ::setenv("TERM", "xterm-256color", 1);
  ::unsetenv("CI");
  ::unsetenv("NO_COLOR");
  ::signal(SIGTTOU, SIG_IGN);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    ::tcsetpgrp(STDIN_FILENO, ::getpid());
    for (const int signal : {SIGTTOU, SIGINT, SIGQUIT, SIGHUP}) ::signal(signal, SIG_DFL);
    ::execl(KNEAD_BUILD "/knead-checked", "knead", "watch", folder.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status)) {
    if (::write(STDOUT_FILENO, "STOPPED", 7) != 7) ::_exit(126);
  }
  ::_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/// knead watch on a terminal of 80 × 24.
class Watching {
 public:
  explicit Watching(const fs::path& folder) {
    const winsize size{24, 80, 0, 0};
    shell_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    REQUIRE(shell_ >= 0);
    if (shell_ == 0) run_as_a_shell(folder);
    ::tcgetattr(terminal_, &settings_);
  }
  ~Watching() {
    if (shell_ > 0) {
      send(SIGKILL);
      ::waitpid(shell_, nullptr, 0);
    }
    ::close(terminal_);
  }

  /// Reads what is shown until it has a text; returns whether it came.
  bool shows(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (shown_.find(text) == std::string::npos) {
      pollfd wait{terminal_, POLLIN, 0};
      if (std::chrono::steady_clock::now() > end) return false;
      if (::poll(&wait, 1, 100) > 0 && !read_some()) return false;
    }
    shown_.erase(0, shown_.find(text) + text.size());
    return true;
  }

  void press(const std::string& keys) {
    CHECK(::write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
  }
  void send(int signal) const { ::kill(::tcgetpgrp(terminal_), signal); }
  void resize(unsigned short columns, unsigned short rows) const {
    const winsize size{rows, columns, 0, 0};
    ::ioctl(terminal_, TIOCSWINSZ, &size);
  }
  /// Waits for the end, and returns the exit code; 128 and the signal that has ended it.
  int code() {
    int status = 0;
    ::waitpid(shell_, &status, 0);
    shell_ = -1;
    return WEXITSTATUS(status);
  }
  bool has_old_settings() const {
    termios now{};
    ::tcgetattr(terminal_, &now);
    return now.c_lflag == settings_.c_lflag && now.c_iflag == settings_.c_iflag;
  }

 private:
  bool read_some() {
    char bytes[4096];
    const ssize_t n = ::read(terminal_, bytes, sizeof bytes);
    if (n > 0) shown_.append(bytes, static_cast<std::size_t>(n));
    return n > 0;
  }

  int terminal_ = -1;
  pid_t shell_ = -1;
  termios settings_{};
  std::string shown_;
};

}  // namespace

TEST_CASE("watch shows a run that grows, and gives the terminal back at q") {
  const tests::Folder folder;
  WrittenRun run(folder / "digits");
  run.report(100, 2.5);
  Watching watching(folder / "digits");
  CHECK(watching.shows(kEnter));
  CHECK(watching.shows("step 100  10%"));
  CHECK(!watching.has_old_settings());
  run.report(200, 1.25);
  CHECK(watching.shows("step 200  20%"));
  watching.press("l");
  CHECK(watching.shows(" (log)"));
  watching.resize(40, 10);
  CHECK(watching.shows("\033[10;1H"));
  watching.press("q");
  CHECK(watching.shows(kLeave));
  CHECK(watching.code() == 0);
  CHECK(watching.has_old_settings());
}

TEST_CASE("watch gives the terminal back at signals") {
  const tests::Folder folder;
  const WrittenRun run(folder / "digits");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    Watching watching(folder.path());
    CHECK(watching.shows("digits"));
    watching.send(signal);
    CHECK(watching.shows(kLeave));
    CHECK(watching.code() == (signal == SIGINT ? 0 : 128 + signal));
    CHECK(watching.has_old_settings());
  }
}

TEST_CASE("watch stops and goes on as a shell asks it to") {
  const tests::Folder folder;
  const WrittenRun run(folder / "digits");
  Watching watching(folder.path());
  CHECK(watching.shows("digits"));
  watching.press("\x1a");
  CHECK(watching.shows(kLeave));
  CHECK(watching.shows("STOPPED"));
  CHECK(watching.has_old_settings());
  watching.send(SIGCONT);
  CHECK(watching.shows(kEnter));
  CHECK(watching.shows("digits"));
  watching.press("\x03");
  CHECK(watching.shows(kLeave));
  CHECK(watching.code() == 0);
}
