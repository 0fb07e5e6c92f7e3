#include "runner/launch/warm_engine.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "runner/launch/start.h"
#include "schema/document/error.h"

namespace knead::launch {
namespace {

/// Bounds the time for which a call is waited for that is killed.
constexpr int kMillisecondsForKilled = 5000;

/// Holds the two ends of a connection that is closed on exec.
struct SocketPair {
  int ours = -1;
  int theirs = -1;
};

SocketPair connected_sockets() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(fmt::format("cannot make a connection to the engine: {}", std::strerror(errno)),
                "close files or end processes on this machine");
  return {ends[0], ends[1]};
}

/// Collects a child that has ended or is about to, and returns how it ended.
CallAnswer collect_child(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  CallAnswer end;
  end.by_signal = WIFSIGNALED(status);
  end.number = end.by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

/// Kills the group of a call, whose server has ended, and waits until the call has ended too: what
/// it had locked is free then. The kernel kills the call itself, and not what that has started.
void end_group(pid_t process) {
  const int watched = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  kill(-process, SIGKILL);
  if (watched < 0) return;  // it has ended, or the kernel is older than 5.3
  pollfd ended{watched, POLLIN, 0};
  while (poll(&ended, 1, kMillisecondsForKilled) < 0 && errno == EINTR) {
  }
  close(watched);
}

}  // namespace

WarmEngine::WarmEngine(std::filesystem::path engine, const HeldSignals& signals)
    : engine_(std::move(engine)), signals_(signals) {
  start_engine();
}

WarmEngine::~WarmEngine() {
  if (process_ == 0) return;
  kill(process_, SIGKILL);
  collect();
  if (process_ != 0) end_of_engine();
}

void WarmEngine::start_engine() {
  const SocketPair sockets = connected_sockets();
  try {
    const Command command{engine_, {"serve", std::to_string(sockets.theirs)}};
    process_ = start_rank(command, {.rendezvous = sockets.theirs}, signals_);
  } catch (const Error&) {
    close(sockets.ours);
    close(sockets.theirs);
    throw;
  }
  close(sockets.theirs);
  socket_ = sockets.ours;
}

int WarmEngine::start(const std::vector<std::string>& words, int output) {
  if (process_ == 0) start_engine();
  const CallRequest request{.call = last_call_ + 1, .signal = 0, .words = words, .output = output};
  // An engine that is gone is found by collect(), with this call among those that it has ended.
  send_request(socket_, request);
  calls_[++last_call_] = 0;
  return last_call_;
}

void WarmEngine::send(int call, int signal) {
  if (!calls_.contains(call)) return;
  send_request(socket_, {.call = call, .signal = signal, .words = {}, .output = -1});
}

std::vector<CallEnd> WarmEngine::collect() {
  std::vector<CallEnd> ends;
  if (process_ == 0) return ends;
  CallAnswer answer;
  Delivery delivery;
  while ((delivery = receive_answer(socket_, answer)) == Delivery::done) {
    if (answer.process != 0) {
      calls_[answer.call] = answer.process;
      continue;
    }
    calls_.erase(answer.call);
    ends.push_back({answer, /*with_engine=*/false});
  }
  if (delivery == Delivery::nothing_yet) return ends;
  const std::vector<CallEnd> others = end_of_engine();
  ends.insert(ends.end(), others.begin(), others.end());
  return ends;
}

std::vector<CallEnd> WarmEngine::end_of_engine() {
  kill(process_, SIGKILL);  // in case it has only closed the socket
  CallAnswer end = collect_child(process_);
  close(socket_);
  process_ = 0;
  socket_ = -1;
  std::vector<CallEnd> ends;
  for (const auto& [call, process] : calls_) {
    if (process != 0) end_group(process);
    end.call = call;
    ends.push_back({end, /*with_engine=*/true});
  }
  calls_.clear();
  return ends;
}

}  // namespace knead::launch
