#include "runner/launch/start.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::launch {
namespace {

/// Puts the files of a rank in place. Returns whether that was possible. Async-signal-safe.
bool take(const RankFiles& files) {
  if (files.log >= 0) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (dup2(nothing, 0) < 0 || dup2(files.log, 1) < 0 || dup2(files.log, 2) < 0) return false;
  }
  if (files.steps >= 0 && files.rendezvous < 0) return fcntl(files.steps, F_SETFD, 0) == 0;
  if (files.rendezvous < 0) return true;
  if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) {  // a kernel before 5.11
    for (int each = 3; each < 65536; ++each) fcntl(each, F_SETFD, FD_CLOEXEC);
  }
  if (fcntl(files.rendezvous, F_SETFD, 0) != 0) return false;
  return files.steps < 0 || fcntl(files.steps, F_SETFD, 0) == 0;
}

/// Turns the forked child into the rank. Only async-signal-safe calls are allowed between fork and
/// exec.
[[noreturn]] void become(char* const* arguments, const RankFiles& files, const HeldSignals& signals,
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
  if (take(files)) execv(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure_pipe, &error, sizeof error);
  _exit(127);
}

Error cannot_start(const Command& command, int error) {
  return Error(fmt::format("cannot start '{}': {}", command.program.string(), std::strerror(error)),
               "build it with tools/build, or set KNEAD_ENGINE to the program");
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

}  // namespace

pid_t start_rank(const Command& command, const RankFiles& files, const HeldSignals& signals) {
  const std::vector<char*> arguments = argument_pointers(command);
  // The pipe closes at a successful exec; at a failed one it carries the errno.
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) throw cannot_start(command, errno);
  const pid_t parent = getpid();
  const pid_t rank = fork();
  if (rank == 0) become(arguments.data(), files, signals, parent, failure[1]);
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

void become_rank(const Command& command, const HeldSignals& signals) {
  const std::vector<char*> arguments = argument_pointers(command);
  sigprocmask(SIG_SETMASK, &signals.before(), nullptr);
  execv(arguments[0], arguments.data());
  throw cannot_start(command, errno);
}

}  // namespace knead::launch
