#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Holds the conditions of one item of optimizer.groups. A parameter must satisfy all of them; a
/// condition that is std::nullopt is satisfied by each.
struct Selector {
  /// Holds a glob pattern for names, as "*.bias".
  std::optional<std::string> match;
  /// Bound the number of dimensions: less than the first, at least the second.
  std::optional<std::int64_t> ndim_below, ndim_at_least;

  /// Returns whether a parameter satisfies the conditions. `names`: all names of the parameter,
  /// including those tied to it; the pattern may match any of them.
  bool fits(const at::Tensor& parameter, const Names& names) const;

  /// Formats the conditions for messages: "match '*.bias', ndim_below 2"; empty without conditions.
  std::string words() const;
};

/// Returns, for each parameter, the index of the first selector that fits it, or the number of
/// selectors if none does. `names`: all names of each parameter, in the order of `parameters`.
/// Throws knead::Error (exit code of an invalid recipe) for a selector that fits no parameter, or
/// only parameters that earlier selectors take.
std::vector<std::size_t> assign(const std::vector<Selector>& selectors,
                                const NamedTensors& parameters, const std::vector<Names>& names);

}  // namespace knead::engine::optimize
