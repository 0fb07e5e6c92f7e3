#include "runner/launch/rank.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace knead::launch {
namespace {

constexpr int kInterrupted = static_cast<int>(Exit::interrupted);

// A handler sets flags and passes the signal on, nothing else.
volatile std::sig_atomic_t g_rank = 0;        // its process id while it lives
volatile std::sig_atomic_t g_interrupts = 0;  // SIGINTs so far

void pass_on(int signal) {
  const int rank = g_rank;
  if (signal == SIGINT) g_interrupts = g_interrupts + 1;
  if (rank > 0) kill(-rank, g_interrupts > 1 ? SIGKILL : signal);
}

class PassSignalsOn {
 public:
  explicit PassSignalsOn(pid_t rank) {
    g_rank = rank;
    g_interrupts = 0;
    struct sigaction action {};
    action.sa_handler = pass_on;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~PassSignalsOn() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    g_rank = 0;
  }
  PassSignalsOn(const PassSignalsOn&) = delete;
  PassSignalsOn& operator=(const PassSignalsOn&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGUSR1};
  struct sigaction before_[std::size(kSignals)];
};

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(const Command& command, char* const* arguments, pid_t parent, int failure_pipe) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kInterrupted);  // it died before we could ask to die with it
  execv(command.program.c_str(), arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure_pipe, &error, sizeof error);
  _exit(127);
}

Error cannot_start(const Command& command, int error) {
  return Error(fmt::format("cannot start '{}': {}", command.program.string(), std::strerror(error)),
               "build it with tools/build, or set KNEAD_ENGINE to the program");
}

pid_t start(const Command& command) {
  std::vector<char*> arguments;
  arguments.push_back(const_cast<char*>(command.program.c_str()));
  for (const std::string& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) throw cannot_start(command, errno);
  const pid_t parent = getpid();
  const pid_t rank = fork();
  if (rank == 0) become(command, arguments.data(), parent, failure[1]);
  const int fork_error = errno;
  close(failure[1]);
  if (rank < 0) {
    close(failure[0]);
    throw cannot_start(command, fork_error);
  }
  int error = 0;
  ssize_t got;
  do {
    got = read(failure[0], &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  close(failure[0]);
  if (got == sizeof error) {
    waitpid(rank, nullptr, 0);
    throw cannot_start(command, error);
  }
  return rank;
}

}  // namespace

Ending supervise(const Command& command) {
  // Signals wait until the rank is there to receive them.
  sigset_t stop;
  sigset_t before;
  sigemptyset(&stop);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&stop, signal);
  const pid_t rank = start(command);
  sigprocmask(SIG_BLOCK, &stop, &before);
  const PassSignalsOn signals(rank);
  sigprocmask(SIG_SETMASK, &before, nullptr);

  int status = 0;
  while (waitpid(rank, &status, 0) < 0 && errno == EINTR) {
  }
  if (g_interrupts > 1) return {true, SIGINT};
  if (WIFSIGNALED(status)) return {true, WTERMSIG(status)};
  return {false, WEXITSTATUS(status)};
}

Exit exit_of(const Ending& ending) {
  if (!ending.by_signal) return static_cast<Exit>(ending.number);
  return ending.number == SIGINT ? Exit::interrupted : Exit::rank_lost;
}

std::string describe(const Ending& ending) {
  const char* name = sigabbrev_np(ending.number);
  const std::string signal = name ? fmt::format("SIG{}", name) : fmt::format("signal {}", ending.number);
  return fmt::format("rank 0 was ended by {}", signal);
}

}  // namespace knead::launch
