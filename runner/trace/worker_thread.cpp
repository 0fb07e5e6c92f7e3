#include "runner/trace/worker_thread.h"

#include <csignal>
#include <utility>

#include "runner/trace/watch.h"

namespace knead::trace {

std::thread start_thread(std::string name, std::function<void()> work) {
  sigset_t all;
  sigset_t before;
  // A handler that ran in a worker would interrupt its system calls; a stop is the business of the
  // training loop.
  sigfillset(&all);
  // A thread inherits the mask of the one that starts it.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread([name = std::move(name), work = std::move(work)] {
    name_thread(name);
    work();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace knead::trace
