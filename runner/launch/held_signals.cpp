#include "runner/launch/held_signals.h"

#include <initializer_list>

namespace knead::launch {
namespace {

bool is_ignored(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

HeldSignals::HeldSignals() {
  sigemptyset(&held_);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGTSTP, SIGCONT, SIGCHLD})
    sigaddset(&held_, signal);
  if (!is_ignored(SIGHUP)) sigaddset(&held_, SIGHUP);  // nohup ignores it, and it must stay so
  sigprocmask(SIG_BLOCK, &held_, &before_);
}

HeldSignals::~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

bool HeldSignals::is_stop_pending() const {
  sigset_t pending;
  if (sigpending(&pending) != 0) return false;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP})
    if (sigismember(&pending, signal) == 1) return true;
  return false;
}

}  // namespace knead::launch
