#include "runner/plan/epoch_order.h"

namespace knead::plan {

void EpochOrder::read(const Window& window, std::vector<std::uint64_t>& out) {
  out.resize(window.size);
  for (std::uint64_t i = 0; i < window.size; ++i) out[i] = window.first + i;
  if (draw_) {
    const auto epoch = static_cast<std::uint32_t>(window.epoch);
    for (std::uint64_t& place : out)
      place = (*draw_)(random_bits(seed_, Purpose::sampler, epoch, place));
  }
  if (!shuffle_) return;
  if (!permutation_ || epoch_ != window.epoch) {
    epoch_ = window.epoch;
    permutation_.emplace(samples_, seed_, Purpose::order, static_cast<std::uint32_t>(epoch_));
  }
  for (std::uint64_t& place : out) place = (*permutation_)[place];
}

}  // namespace knead::plan
