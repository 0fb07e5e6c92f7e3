#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/parallel/group.h"

namespace knead::engine::parallel {

/// Sums the gradients of a model over ranks while backward still computes others. Used by one
/// thread.
///
/// For each update the caller computes gradients as without ranks, calls is_ready() during the last
/// backward for each parameter whose gradient will not change any more, and then send_rest() and
/// finish(). The calls of is_ready() only save time.
class Reduction {
 public:
  virtual ~Reduction() = default;

  /// Returns whether gradients are sent after each backward, and not only after the last of an
  /// update: is_ready() and send_rest() are then called for each, the same number of times on all
  /// ranks.
  virtual bool sends_each_pass() const { return false; }

  /// Notes that the gradient of a parameter is complete on this rank, and begins to send each
  /// bucket that is now full. Ignores a tensor that is not one of the parameters.
  virtual void is_ready(const at::Tensor& parameter) = 0;

  /// Begins to send what is_ready() has not sent: no gradient changes any more.
  virtual void send_rest() = 0;

  /// Makes the sums over ranks the gradients of what this rank updates, and replaces `numbers` by
  /// their sums. A parameter that no rank has a gradient for keeps none. The gradients must be
  /// dropped before the next is_ready().
  virtual void finish(std::span<double> numbers) = 0;

  /// Returns whether any rank had a gradient for a parameter in the last update.
  virtual bool has_gradient(const at::Tensor& parameter) const = 0;

  /// Returns how many bytes a rank sends for an update.
  virtual std::uint64_t bytes() const = 0;

  /// Returns the seconds that the sums of an update take from the moment when all ranks begin them,
  /// while nothing else is computed. Sends zeros. All ranks must call it, between two updates.
  virtual double seconds_alone() = 0;
};

/// Replaces each number by its sum over ranks. Makes `has_gradient`, which tells for each parameter
/// whether this rank has a gradient, tell whether any rank has one; sends it only if a gradient is
/// missing, because most models reach all of their parameters. All ranks must call it.
void sum_and_agree(std::span<double> numbers, std::vector<bool>& has_gradient, Group& group);

}  // namespace knead::engine::parallel
