#include "runner/plan/mix_draw.h"

#include <numeric>

namespace knead::plan {

MixDraw::MixDraw(std::vector<Part> parts) : parts_(std::move(parts)) {
  std::uint64_t divisor = 0;
  for (const Part& part : parts_) {
    begins_.push_back(size_);
    size_ += part.samples;
    divisor = std::gcd(divisor, part.weight);
  }
  std::uint64_t sum = 0;
  // The pattern is stored, so weights of 300 and 100 must not make it longer than 3 and 1 do.
  for (Part& part : parts_) sum += part.weight /= divisor;

  std::vector<std::uint32_t> taken(parts_.size(), 0);
  // The quotients (2 × taken + 1) / weight are compared by cross-multiplication, which is exact.
  const auto odd = [&](std::size_t part) { return 2 * std::uint64_t{taken[part]} + 1; };
  for (std::uint64_t i = 0; i < sum; ++i) {
    std::size_t next = 0;
    for (std::size_t part = 1; part < parts_.size(); ++part) {
      if (odd(part) * parts_[next].weight < odd(next) * parts_[part].weight) next = part;
    }
    pattern_.push_back({static_cast<std::uint32_t>(next), taken[next]++});
  }
}

MixDraw::Draw MixDraw::operator()(std::uint64_t position) const {
  const Step& step = pattern_[position % pattern_.size()];
  const Part& part = parts_[step.part];
  const std::uint64_t drawn = position / pattern_.size() * part.weight + step.taken;
  return {step.part, {drawn / part.samples, drawn % part.samples}};
}

}  // namespace knead::plan
