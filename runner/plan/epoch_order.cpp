#include "runner/plan/epoch_order.h"

namespace knead::plan {

void EpochOrder::read(const Window& window, std::vector<std::uint64_t>& out) {
  out.resize(window.size);
  for (std::uint64_t i = 0; i < window.size; ++i) {
    const std::uint64_t place = window.first + i;
    if (mix_) {
      // A mix counts positions through all epochs: an epoch rarely ends where a pass over a part
      // does, and each pass goes on in the next epoch.
      const auto [part, turn] = (*mix_)(window.epoch * samples_ + place);
      out[i] = mix_->begin_of(part) + shuffled(part, mix_->samples_of(part), turn);
    } else if (draw_) {
      const auto epoch = static_cast<std::uint32_t>(window.epoch);
      out[i] = (*draw_)(random_bits(seed_, Purpose::sampler, epoch, place));
    } else {
      out[i] = shuffled(0, samples_, {window.epoch, place});
    }
  }
}

void EpochOrder::read_turns(const Window& window, std::vector<Turn>& out) const {
  out.resize(mix_ ? window.size : 0);
  for (std::uint64_t i = 0; i < out.size(); ++i)
    out[i] = (*mix_)(window.epoch * samples_ + window.first + i).turn;
}

std::uint64_t EpochOrder::shuffled(std::size_t part, std::uint64_t samples, const Turn& turn) {
  if (!shuffle_) return turn.place;
  if (rounds_.size() <= part) rounds_.resize(part + 1);
  Round& round = rounds_[part];
  if (!round.order || round.number != turn.round) {
    // The part enters the seed, so that parts of equal size have different orders.
    const auto stream = static_cast<std::uint32_t>(part);
    const std::uint64_t seed = mix_ ? random_bits(seed_, Purpose::mix, stream, 0) : seed_;
    round.order.emplace(samples, seed, Purpose::order, static_cast<std::uint32_t>(turn.round));
    round.number = turn.round;
  }
  return (*round.order)[turn.place];
}

}  // namespace knead::plan
