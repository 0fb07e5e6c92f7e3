#include "runner/engine/model/values/release.h"

namespace knead::engine::model {
namespace {

struct Queue {
  std::vector<std::shared_ptr<void>> waiting;
  bool is_emptied = false;
};

/// The queue is never destroyed: values of static duration outlive the variables of a thread.
Queue& queue() {
  thread_local Queue* const made = new Queue;
  return *made;
}

}  // namespace

void bury(std::shared_ptr<void> held) { queue().waiting.push_back(std::move(held)); }

void empty_the_queue() {
  Queue& all = queue();
  if (all.is_emptied) return;
  all.is_emptied = true;
  while (!all.waiting.empty()) {
    // The destructor adds to the queue, so the value leaves it before.
    const std::shared_ptr<void> last = std::move(all.waiting.back());
    all.waiting.pop_back();
  }
  all.is_emptied = false;
}

}  // namespace knead::engine::model
