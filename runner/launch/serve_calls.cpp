#include "runner/launch/serve_calls.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/launch/call_messages.h"
#include "schema/document/error.h"

namespace knead::launch {
namespace {

/// Makes the kernel choose this process before the one that serves it, which holds less memory of
/// its own, where memory is short. Does nothing if that is not allowed.
void go_first_without_memory() {
  const int file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  char text[16] = {};
  [[maybe_unused]] ssize_t done = read(file, text, sizeof text - 1);
  const std::string score = std::to_string(std::min(std::atoi(text) + 100, 1000));
  done = pwrite(file, score.data(), score.size(), 0);
  close(file);
}

/// Forks calls and waits for their ends.
class Server {
 public:
  explicit Server(int socket) : socket_(socket) {
    fcntl(socket_, F_SETFD, FD_CLOEXEC);
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &before_);
    ends_ = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
  }

  /// Waits until there is a request, and tells the ends of calls meanwhile. Returns std::nullopt
  /// when the other side is gone.
  std::optional<CallRequest> next() {
    for (;;) {
      pollfd both[] = {{socket_, POLLIN, 0}, {ends_, POLLIN, 0}};
      if (poll(both, 2, -1) < 0 && errno != EINTR) return std::nullopt;
      if (both[1].revents != 0 && !tell_ends()) return std::nullopt;
      if (both[0].revents == 0) continue;
      CallRequest request;
      if (receive_request(socket_, request) != Delivery::done) return std::nullopt;
      return request;
    }
  }

  void send(int call, int signal) const {
    const auto found = processes_.find(call);
    if (found != processes_.end()) kill(-found->second, signal);
  }

  /// Returns whether this is the process of the call.
  bool fork_for(const CallRequest& request) {
    const pid_t server = getpid();
    const pid_t process = fork();
    if (process == 0) {
      become_call(server, request.output);
      return true;
    }
    if (process < 0) dprintf(request.output, "knead: cannot fork: %s\n", std::strerror(errno));
    close(request.output);
    if (process < 0) {
      constexpr int kCannot = static_cast<int>(Exit::not_usable);
      send_answer(socket_, {.call = request.call, .number = kCannot});
      return false;
    }
    setpgid(process, process);  // also here: a signal may come before the call has done it itself
    processes_[request.call] = process;
    send_answer(socket_, {.call = request.call, .process = process});
    return false;
  }

 private:
  void become_call(pid_t server, int output) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server) _exit(1);  // the server died before prctl() took effect
    close(ends_);
    close(socket_);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(1);
    close(nothing);
    close(output);
    go_first_without_memory();
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

  /// Tells the other side which calls have ended. Returns false if it is gone.
  bool tell_ends() {
    signalfd_siginfo taken;
    while (read(ends_, &taken, sizeof taken) == sizeof taken) {
    }
    for (auto each = processes_.begin(); each != processes_.end();) {
      siginfo_t end{};
      const auto process = static_cast<id_t>(each->second);
      // As long as it is not collected, no other group gets its number.
      waitid(P_PID, process, &end, WEXITED | WNOHANG | WNOWAIT);
      if (end.si_pid != each->second) {
        ++each;
        continue;
      }
      kill(-each->second, SIGKILL);  // what it has left in its group
      waitid(P_PID, process, &end, WEXITED);
      const CallAnswer answer{
          .call = each->first, .by_signal = end.si_code != CLD_EXITED, .number = end.si_status};
      if (send_answer(socket_, answer) != Delivery::done) return false;
      each = processes_.erase(each);
    }
    return true;
  }

  int socket_;
  int ends_;
  sigset_t before_;
  std::map<int, pid_t> processes_;  // of the calls that have not ended
};

}  // namespace

std::vector<std::string> serve_calls(
    int socket, const std::function<void(const std::vector<std::string>&)>& prepare) {
  unsetenv("KNEAD_STEPS");  // a file of ranks that are no calls
  Server server(socket);
  while (auto request = server.next()) {
    if (request->signal != 0) {
      server.send(request->call, request->signal);
      continue;
    }
    prepare(request->words);
    if (server.fork_for(*request)) return request->words;
  }
  _exit(0);  // the kernel kills the calls
}

}  // namespace knead::launch
