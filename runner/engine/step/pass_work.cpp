#include "runner/engine/step/pass_work.h"

#include <algorithm>

namespace knead::engine {

void PassWork::done(UpdatePart part, const PendingUpdate& update) {
  if (is_complete_) return;
  if (part == UpdatePart::before) {
    before_ = count_.total();
  } else if (part == UpdatePart::forward) {
    samples_ = std::min<std::uint64_t>(micro_, update.samples.size());
    forward_ = count_.total() - before_;
  } else if (part == UpdatePart::backward) {
    backward_ = count_.total() - before_ - forward_;
    is_complete_ = true;
  }
}

}  // namespace knead::engine
