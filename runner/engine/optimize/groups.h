#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Which parameters one item of optimizer.groups is for: those that all of it fits.
struct Selector {
  std::optional<std::string> match;  // a pattern for names
  std::optional<std::int64_t> ndim_below, ndim_at_least;

  /// `names`: of the parameter, those that are tied to it too. A pattern may mean any of them.
  bool fits(const at::Tensor& parameter, const Names& names) const;

  /// "match '*.bias', ndim_below 2".
  std::string words() const;
};

/// For each parameter the number of the first selector that fits it, or how many there are if none
/// does. `names`: of each parameter. Throws knead::Error for a selector that fits no parameter, or
/// none that is left.
std::vector<std::size_t> assign(const std::vector<Selector>& selectors,
                                const NamedTensors& parameters, const std::vector<Names>& names);

}  // namespace knead::engine::optimize
