#include "runner/plan/windows.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::plan {

Windows::Windows(std::uint64_t samples, std::uint64_t batch, bool drop_last, std::uint64_t tokens)
    : samples_(samples), batch_(batch), drop_last_(drop_last), tokens_(tokens) {
  steps_per_epoch_ = drop_last ? samples / batch : (samples + batch - 1) / batch;
  // The schema cannot check this, because only the data tell the number of samples.
  if (steps_per_epoch_ > 0) return;
  throw Error(fmt::format("an epoch has no step: {} samples, batch.size {}{}", samples, batch,
                          drop_last ? ", and data.drop_last drops the smaller batch" : ""),
              "make batch.size smaller, or train on more rows");
}

Window Share::of(const Window& window) const {
  const std::uint64_t each = window.size / ranks;
  const std::uint64_t left = window.size % ranks;
  return {.epoch = window.epoch,
          .first = window.first + rank * each + std::min(rank, left),
          .size = each + (rank < left ? 1 : 0)};
}

Window Windows::at(std::uint64_t step) const {
  Window window;
  window.epoch = step / steps_per_epoch_;
  window.first = step % steps_per_epoch_ * batch_;
  // Only the last window of an epoch can be smaller, and only without drop_last.
  window.size = std::min(batch_, samples_ - window.first);
  return window;
}

std::uint64_t Windows::samples_after(std::uint64_t steps) const {
  const std::uint64_t per_epoch = drop_last_ ? steps_per_epoch_ * batch_ : samples_;
  const std::uint64_t within = steps % steps_per_epoch_ * batch_;
  return steps / steps_per_epoch_ * per_epoch + within;
}

schema::Epoch Windows::epoch() const {
  return {static_cast<double>(samples_), static_cast<double>(batch_), drop_last_,
          static_cast<double>(tokens_)};
}

}  // namespace knead::plan
