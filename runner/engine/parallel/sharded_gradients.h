#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/parallel/reduction.h"
#include "runner/engine/parallel/shards.h"

namespace knead::engine::parallel {

/// Sums the gradients of a model over ranks that own pieces of the parameters. A rank keeps the
/// sums of its pieces only; a gradient is freed as soon as it is sent. Sums are made in buckets, in
/// the order in which backward reaches the parameters.
class ShardedGradients final : public Reduction {
 public:
  /// Sends gradients after each backward if `each_pass`: no rank then has all gradients at any
  /// time. Else they add up on each rank until the last backward of an update. Borrows the shards.
  ShardedGradients(Shards& shards, bool each_pass);

  bool sends_each_pass() const override { return each_pass_; }
  void is_ready(const at::Tensor& parameter) override;
  void send_rest() override;
  /// The gradients are those of the pieces of the shards.
  void finish(std::span<double> numbers) override;
  bool has_gradient(const at::Tensor& parameter) const override;
  std::uint64_t bytes() const override;
  double seconds_alone() override;

 private:
  struct Place {
    std::size_t bucket = 0;
    bool has_own_sum = false;   // the parameter is divided and trained
    bool is_complete = false;   // in this pass
    bool has_gradient = false;  // in any pass of the update
  };
  struct Bucket {
    at::Tensor sum;  // flat: of the numbers that this rank owns
    at::ScalarType sent;
    std::vector<plan::Portion> portions;
    std::size_t complete = 0;  // parameters
  };

  void begin_update();
  void complete(std::size_t parameter);
  void close_if_complete(std::size_t unit);
  bool is_full(std::size_t bucket) const;
  void send_full();
  void send(std::size_t bucket);
  void fill(std::size_t bucket, const plan::Portion& portion, const at::Tensor& numbers);
  void give_to_pieces();

  Shards& shards_;
  bool each_pass_;
  std::vector<Place> places_;  // by parameter
  std::vector<Bucket> buckets_;
  std::size_t sent_ = 0;    // buckets that are sent in this pass, on all ranks in this order
  bool has_begun_ = false;  // the sums are those of the present update
  std::unordered_map<const void*, std::size_t> index_;  // parameters by tensor
};

}  // namespace knead::engine::parallel
