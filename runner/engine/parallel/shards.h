#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/parallel/exchange.h"
#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/spare_memory.h"
#include "runner/engine/parallel/unit_gathers.h"
#include "runner/engine/tensor/depot.h"
#include "runner/engine/tensor/named_tensor.h"
#include "runner/plan/shards.h"

namespace knead::engine::parallel {

/// Configures how parameters are divided among ranks.
struct Sharding {
  /// Groups of ranks that hold all shards each; divides the number of ranks.
  int replicas = 1;
  /// Gives whole parameters to ranks, for optimizers that need them.
  bool whole_tensors = false;
  /// Closes a bucket when it holds so many bytes; bounds also what is sent at once.
  std::uint64_t bucket = 25'000'000;
  /// Rounds parameters to this dtype when they are sent. The ranks compute with the rounded ones,
  /// and update numbers that are not rounded.
  std::optional<at::ScalarType> gathered{};
  /// Rounds gradients to this dtype when they are sent.
  std::optional<at::ScalarType> rounded{};
  /// Holds the unit of each parameter, if parameters are to be whole only while a unit of the model
  /// computes; else empty. Unit 0 is whole from its first use to the end of an update.
  std::vector<std::size_t> units{};
  /// Keeps the pieces of units elsewhere; std::nullopt: beside the parameters.
  std::optional<Depot> depot{};
};

/// Tells which numbers of a parameter a piece holds, in row-major order.
struct PiecePlace {
  /// Index in the list of parameters that Shards was made for.
  std::size_t parameter = 0;
  std::int64_t begin = 0;
  std::int64_t count = 0;
  /// The shape of the whole parameter.
  std::vector<std::int64_t> shape{};
  /// The first number of the piece in its bucket.
  std::uint64_t offset = 0;
};

/// A bucket of parameters of one dtype, laid out and cut. Indices are those of the list of
/// parameters.
struct ShardedBucket {
  plan::CutBucket cut;
  at::ScalarType type;     // of the parameters
  bool is_trained = true;  // the parameters need a gradient
  std::size_t unit = 0;    // of the parameters
  at::Tensor whole{};      // flat: the parameters of a unit; without memory while it is not needed
};

/// Divides the parameters of a model among the ranks of a group. A rank owns pieces, which it alone
/// updates; its optimizer and averages are made for them. Between updates each rank has all
/// parameters whole; with units it has its pieces only, and the parameters of a unit while that
/// computes. Used by one thread. "ZeRO: Memory Optimizations Toward Training Trillion Parameter
/// Models", Rajbhandari et al., 2020.
class Shards {
 public:
  /// Divides the parameters that need a gradient, and with units all others too. All ranks must
  /// have the same parameters with the same numbers, in the same order. Changes the layout of a
  /// parameter that is not row-major. Borrows the group, which must have several ranks.
  Shards(const NamedTensors& parameters, const Sharding& sharding, Group& group);
  /// Gives each parameter of units memory of its own, with undefined numbers.
  ~Shards();
  Shards(const Shards&) = delete;
  Shards& operator=(const Shards&) = delete;

  /// Returns the shard that this rank holds, from 0.
  int shard() const { return group_.rank() % shards(); }
  /// Returns how many shards there are.
  int shards() const { return group_.ranks() / sharding_.replicas; }
  /// Returns whether this rank is of the first replica. The others hold the same.
  bool is_first_replica() const { return group_.rank() < shards(); }

  /// Returns whether each rank has all parameters between updates.
  bool parameters_are_whole() const { return sharding_.units.empty(); }

  /// Returns what this rank owns, under the names of the parameters: one-dimensional tensors, or
  /// whole parameters. They share the memory of the parameters, unless these are rounded or in
  /// units.
  const NamedTensors& pieces() const { return pieces_; }
  /// Returns which numbers the pieces are.
  const std::vector<PiecePlace>& places() const { return places_; }
  /// Returns whether a parameter is divided.
  bool is_sharded(const at::Tensor& parameter) const;

  /// Makes the parameters those of the pieces of all ranks, after these were changed; those of
  /// units when they are needed next. All ranks must call it.
  void gather();

  // --- units: all ranks must open the same, in the same order ------------------------------------

  /// Makes the parameters of a unit whole, unless they are, and begins to gather those of the unit
  /// that was opened next the last time.
  void open(std::size_t unit);
  /// Frees the parameters of a unit.
  void close(std::size_t unit);
  /// Frees the parameters of all units but unit 0.
  void close_units();
  /// Ends a pass, once this rank has sent all gradients of it: waits until other ranks have read
  /// its pieces, which may change then. All ranks must call it.
  void end_pass();
  /// Returns whether all parameters of a unit need a gradient.
  bool is_trained(std::size_t unit) const;

  /// Lets this rank compute if it has something to, else open the units that the others open, until
  /// they have computed. For ranks of which some, but not rank 0, have nothing to compute.
  void compute_or_follow(bool computes, const std::function<void()>& compute);
  /// Returns whether a rank follows the others now: it takes part in nothing else then.
  bool is_followed() const { return is_followed_; }

  /// Calls `see` for each divided parameter, with the numbers that its owners hold. All ranks must
  /// call it.
  void visit_whole(const std::function<void(const NamedTensor&)>& see);

  // --- for the gradients of the pieces -----------------------------------------------------------

  const Sharding& sharding() const { return sharding_; }
  Group& group() { return group_; }
  Exchanges& exchanges() { return *exchanges_; }
  const NamedTensors& parameters() const { return parameters_; }
  const std::vector<ShardedBucket>& buckets() const { return buckets_; }
  /// Returns the items of all parameters, which the buckets refer to.
  const std::vector<plan::BucketItem>& items() const { return items_; }
  /// Returns how many numbers of a dtype are sent at once.
  std::uint64_t most_numbers(at::ScalarType type) const;
  /// Returns the first piece of a bucket in pieces(), and behind the last bucket their number.
  std::size_t first_piece(std::size_t bucket) const { return first_pieces_[bucket]; }

  /// Calls `see` for each parameter that has numbers of a bucket in a range: with its index, the
  /// first of its numbers, how many there are, and how many numbers of the range come before.
  using SeeNumbers = std::function<void(std::size_t parameter, std::int64_t begin,
                                        std::int64_t count, std::int64_t offset)>;
  void visit(const plan::CutBucket& cut, const plan::Range& range, const SeeNumbers& see) const;

 private:
  void make_buckets();
  void divide(const std::vector<std::size_t>& numbers, const std::vector<int>& owners);
  void move_to_units();
  void make_unit_gathers();
  void follow();
  bool owns_pieces() const { return sharding_.gathered || !sharding_.units.empty(); }
  std::size_t unit_of(std::size_t parameter) const;
  void make_exchanges();
  void share_pieces();
  void make_pieces();
  at::Tensor own_piece(std::size_t bucket, const plan::CutPiece& piece) const;
  at::ScalarType sent_type(const ShardedBucket& bucket) const;
  /// Receives numbers of a bucket that another rank owns, or this one.
  using Receive = std::function<void(const ShardedBucket& bucket, const plan::Range& numbers,
                                     std::size_t shard, const at::Tensor& part)>;
  void gather_numbers(std::size_t first, std::size_t last, bool is_rounded, const Receive& receive);
  void fill(std::size_t bucket, const plan::Range& numbers, const at::Tensor& place) const;

  NamedTensors parameters_;
  Sharding sharding_;
  Group& group_;
  std::vector<plan::BucketItem> items_;  // by parameter
  std::vector<ShardedBucket> buckets_;
  std::optional<Exchanges> exchanges_;
  std::vector<std::unique_ptr<Exchange>> places_to_read_;  // by bucket: of the pieces, if they have
  NamedTensors pieces_;
  std::vector<PiecePlace> places_;
  std::vector<std::size_t> first_pieces_;               // by bucket, and behind the last
  std::unordered_map<const void*, std::size_t> index_;  // of divided parameters, by tensor
  std::vector<bool> is_open_;                           // by unit
  std::optional<UnitGathers> unit_gathers_;             // with units
  SpareMemory spare_;                                   // of units that were freed
  bool is_followed_ = false;
};

}  // namespace knead::engine::parallel
