#include "runner/run/stop.h"

#include <atomic>

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "schema/document/error.h"

namespace knead::run {
namespace {

std::atomic<int> stop_signal = 0;  // lock-free, so that a signal handler may write it
static_assert(std::atomic<int>::is_always_lock_free);

std::atomic<bool> nothing_to_save = false;
std::atomic<bool> is_heeded = false;  // is_asked() was called since the first signal

/// Writes why the process stops and ends it. Runs in a signal handler, so it must not allocate, nor
/// wait for a terminal that is held or for a reader that reads no more.
[[noreturn]] void end_at_once(int signal, const char* why) {
  pollfd standard_error{STDERR_FILENO, POLLOUT, 0};
  for (const char* part : {"stopped by SIG", sigabbrev_np(signal), why}) {
    if (poll(&standard_error, 1, 0) != 1) break;
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, part, strlen(part));
  }
  _exit(static_cast<int>(Exit::stopped));
}

/// Handles a signal: records it, or ends the process if it cannot wait for the training loop.
void take(int signal) {
  if (nothing_to_save)
    end_at_once(signal, " before there was anything to save; the same command begins again\n");
  // _exit() and not exit(): a handler may run while a lock of the library is held.
  if (signal == SIGINT && stop_signal == SIGINT) _exit(static_cast<int>(Exit::interrupted));
  if (stop_signal != 0 && !is_heeded)
    end_at_once(signal,
                " within a step that has not ended since the signal before; the same command goes "
                "on from the last checkpoint\n");
  stop_signal = signal;
}

}  // namespace

Stop::Stop() {
  stop_signal = 0;
  is_heeded = false;
  struct sigaction action {};
  action.sa_handler = take;
  // SA_RESTART: reads and writes of data and checkpoints go on as if there was no signal.
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
}

void Stop::set_nothing_to_save(bool nothing) { nothing_to_save = nothing; }

bool Stop::is_asked() const {
  if (stop_signal != 0) is_heeded = true;
  return stop_signal != 0 || is_late();
}

bool Stop::is_late() const {
  if (!seconds_) return false;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() >=
         *seconds_;
}

std::string Stop::reason() const {
  if (stop_signal != 0) return std::string("SIG") + sigabbrev_np(stop_signal);
  return is_late() ? "the time limit" : "--stop-after";
}

}  // namespace knead::run
