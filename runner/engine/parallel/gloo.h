#pragma once

#include <memory>
#include <span>

#include "runner/engine/parallel/collectives.h"

namespace knead::engine::parallel {

struct Membership;

/// Connects ranks by Gloo, which carries tensors in host memory.
class Gloo final : public Collectives {
 public:
  /// Connects the ranks: over 127.0.0.1 if they are on one machine, else by the addresses at which
  /// they reach each other. Returns when all of them are connected. Throws as meet().
  explicit Gloo(const Membership& membership);
  ~Gloo() override;

  /// Adds up in the order of the ranks, as SharedSums does.
  std::unique_ptr<Running> begin_sum(const at::Tensor& tensor) override;
  std::unique_ptr<Running> begin_sum_into(const at::Tensor& tensor, const at::Tensor& target,
                                          const std::vector<plan::Range>& cut) override;
  std::unique_ptr<Gathering> begin_gather(const at::Tensor& tensor,
                                          const std::vector<plan::Range>& cut) override;
  void copy_from_first(const at::Tensor& tensor) override;

  /// Replaces each number by its sum over ranks, in their order.
  void sum(std::span<double> numbers);

  /// Writes the tensors `own` of all ranks into `all`, one behind the other by rank. All must have
  /// the same size.
  void gather(const at::Tensor& own, at::Tensor& all);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace knead::engine::parallel
