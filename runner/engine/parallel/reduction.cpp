#include "runner/engine/parallel/reduction.h"

#include <algorithm>

namespace knead::engine::parallel {

void sum_and_agree(std::span<double> numbers, std::vector<bool>& has_gradient, Group& group) {
  std::vector<double> all(numbers.begin(), numbers.end());
  const auto missing = std::count(has_gradient.begin(), has_gradient.end(), false);
  all.push_back(static_cast<double>(missing));
  group.sum(all);
  std::copy(all.begin(), all.end() - 1, numbers.begin());
  if (all.back() == 0) return;
  std::vector<double> has(has_gradient.begin(), has_gradient.end());
  group.sum(has);
  for (std::size_t i = 0; i < has.size(); ++i) has_gradient[i] = has[i] != 0;
}

}  // namespace knead::engine::parallel
