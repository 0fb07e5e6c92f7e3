#include "runner/launch/rank.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace knead::launch {
namespace {

/// Turns the forked child into the rank. Only async-signal-safe calls are allowed between fork and
/// exec.
[[noreturn]] void become(const Command& command, char* const* arguments, const HeldSignals& signals,
                         pid_t parent, int failure_pipe) {
  // In a group of its own the rank does not get the terminal's Ctrl-C in addition to the signal
  // that is passed on. The parent passes signals on only after exec has closed the pipe, when the
  // group exists.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before prctl() took effect
  // A shell starts background processes with SIGINT ignored; the rank must take it when it is
  // passed on.
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGUSR1}) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &signals.before(), nullptr);
  execv(command.program.c_str(), arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure_pipe, &error, sizeof error);
  _exit(127);
}

Error cannot_start(const Command& command, int error) {
  return Error(fmt::format("cannot start '{}': {}", command.program.string(), std::strerror(error)),
               "build it with tools/build, or set KNEAD_ENGINE to the program");
}

Error cannot_tell_end(int error) {
  return Error(fmt::format("the system does not tell how rank 0 ended: {}", std::strerror(error)),
               "start again; a run goes on from its last checkpoint", Exit::rank_lost);
}

std::vector<char*> argument_pointers(const Command& command) {
  // exec does not modify the arguments, although its type allows that.
  std::vector<char*> pointers;
  pointers.push_back(const_cast<char*>(command.program.c_str()));
  for (const std::string& argument : command.arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// Returns the errno of a failed exec in the child; 0 if exec succeeded, which closes the pipe.
int wait_for_exec(int pipe) {
  int error = 0;
  ssize_t got;
  do {
    got = read(pipe, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  close(pipe);
  return got == sizeof error ? error : 0;
}

/// Forks the rank and returns its process id. The pipe closes at a successful exec; at a failed one
/// it carries the errno, so that the caller can report it.
pid_t start(const Command& command, const HeldSignals& signals) {
  const std::vector<char*> arguments = argument_pointers(command);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) throw cannot_start(command, errno);
  const pid_t parent = getpid();
  const pid_t rank = fork();
  if (rank == 0) become(command, arguments.data(), signals, parent, failure[1]);
  const int fork_error = errno;
  close(failure[1]);
  if (rank < 0) {
    close(failure[0]);
    throw cannot_start(command, fork_error);
  }
  // The child has ended, and nobody else would collect it.
  if (const int error = wait_for_exec(failure[0])) {
    waitpid(rank, nullptr, 0);
    throw cannot_start(command, error);
  }
  return rank;
}

bool is_ignored(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Returns whether an exit code is a documented one, which the rank itself has explained.
bool is_documented(int code) {
  return (code >= 0 && code <= 7) || code == static_cast<int>(Exit::stopped) ||
         code == static_cast<int>(Exit::interrupted);
}

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

/// Waits for the end of one rank and passes signals on to it.
class Watch {
 public:
  Watch(pid_t rank, const HeldSignals& signals) : rank_(rank), signals_(signals) {}

  Ending to_the_end() {
    int status = 0;
    while (!has_ended(status)) {
      const int signal = sigwaitinfo(&signals_.held(), nullptr);
      if (signal > 0 && signal != SIGCHLD) take(signal);
    }
    ending_.by_signal = WIFSIGNALED(status);
    ending_.number = ending_.by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
    return ending_;
  }

 private:
  bool has_ended(int& status) const {
    pid_t ended;
    do {
      ended = waitpid(rank_, &status, WNOHANG);
    } while (ended < 0 && errno == EINTR);
    if (ended < 0) throw cannot_tell_end(errno);
    return ended == rank_;
  }

  void take(int signal) {
    if (signal == SIGTSTP) {
      // Ctrl-Z reaches only this process, because the rank has its own process group. SIGSTOP
      // cannot be blocked, so raise() suspends this process too.
      kill(-rank_, SIGSTOP);
      raise(SIGSTOP);
    } else if (signal == SIGCONT) {
      kill(-rank_, SIGCONT);
    } else {
      stop(signal);
    }
  }

  void stop(int signal) {
    interrupts_ += signal == SIGINT ? 1 : 0;
    ending_.interrupted = interrupts_ > 1;
    const int passed_on = signal == SIGHUP ? SIGTERM : signal;
    ending_.passed_on.insert(passed_on);
    kill(-rank_, ending_.interrupted ? SIGKILL : passed_on);
  }

  pid_t rank_;
  const HeldSignals& signals_;
  Ending ending_;
  int interrupts_ = 0;
};

}  // namespace

HeldSignals::HeldSignals() {
  sigemptyset(&held_);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGTSTP, SIGCONT, SIGCHLD})
    sigaddset(&held_, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&held_, SIGHUP);  // nohup ignores it, and it must stay so
  sigprocmask(SIG_BLOCK, &held_, &before_);
}

HeldSignals::~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

Ending supervise(const Command& command, const HeldSignals& signals) {
  // A parent that ignores SIGCHLD passes that on over exec, and the system then reports no end of a
  // child.
  signal(SIGCHLD, SIG_DFL);
  return Watch(start(command, signals), signals).to_the_end();
}

Verdict judge(const Ending& ending) {
  if (ending.interrupted) return {Exit::interrupted, "interrupted twice: ended at once", ""};
  // The engine handles stop signals once it trains. Before that they have their usual effect, which
  // is a stop as asked for and not a lost rank. Another signal, such as a SIGSEGV while the run
  // saves its last checkpoint, is a lost rank also after a stop signal.
  if (ending.by_signal && ending.passed_on.contains(ending.number)) {
    return {Exit::stopped, "stopped before the run could take the signal", ""};
  }
  if (ending.by_signal) {
    const bool killed = ending.number == SIGKILL;
    return {Exit::rank_lost, fmt::format("rank 0 was ended by {}", signal_name(ending.number)),
            killed ? "SIGKILL is mostly the kernel's out-of-memory killer; see its log" : ""};
  }
  if (ending.number == 127) {  // of the dynamic loader: a library is missing
    return {Exit::not_usable, "knead-engine could not be loaded",
            "what is missing stands above; build or install knead again"};
  }
  if (is_documented(ending.number)) return {static_cast<Exit>(ending.number), "", ""};
  return {Exit::internal_error, fmt::format("knead-engine ended with code {}", ending.number),
          "please report it, with what 'knead env' prints"};
}

}  // namespace knead::launch
