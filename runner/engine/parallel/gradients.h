#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/reduction.h"
#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::parallel {

/// Configures how gradients are sent.
struct Sending {
  /// Closes a bucket of gradients when it holds so many bytes; ranks that share memory close it at
  /// 4 MB already, because more of the sum is hidden behind backward then.
  std::uint64_t bucket = 25'000'000;
  /// Rounds gradients to this dtype on the way; std::nullopt: they are sent as they are.
  std::optional<at::ScalarType> rounded{};
};

/// Sums the gradients of a model over ranks, which all have the whole model. Gradients are copied
/// into buckets, flat tensors in the reverse order of the parameters; backward reaches the last
/// layers first, so a bucket is sent while backward still computes the others.
class Gradients final : public Reduction {
 public:
  /// Borrows the group; shares the parameters, which all ranks must have in the same order. Leaves
  /// out those that need no gradient.
  Gradients(const NamedTensors& parameters, const Sending& sending, Group& group);

  void is_ready(const at::Tensor& parameter) override;
  void send_rest() override;
  /// The gradients of the parameters then share the memory of the buckets.
  void finish(std::span<double> numbers) override;
  bool has_gradient(const at::Tensor& parameter) const override;
  std::uint64_t bytes() const override;
  double seconds_alone() override;

 private:
  struct Place {
    at::Tensor parameter;
    at::Tensor gradient;  // view of the bucket, in the parameter's layout
    std::size_t bucket = 0;
    bool is_filled = false;
    bool has_gradient = false;
  };
  struct Bucket {
    at::Tensor numbers;  // flat
    std::size_t places = 0;
    std::size_t filled = 0;
    Group::Sum sum;
  };

  void add_bucket(const std::vector<std::size_t>& places, at::ScalarType type);
  void fill(Place& place);
  void send_full();
  void give_back();

  Group& group_;
  std::vector<Place> places_;
  std::vector<Bucket> buckets_;
  std::size_t sent_ = 0;  // buckets that are sent, all ranks in this order
  std::unordered_map<const void*, std::size_t> index_;  // places by tensor
};

}  // namespace knead::engine::parallel
