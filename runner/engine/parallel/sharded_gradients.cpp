#include "runner/engine/parallel/sharded_gradients.h"

#include <algorithm>
#include <chrono>

#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "runner/engine/device/device.h"

namespace knead::engine::parallel {
ShardedGradients::ShardedGradients(Shards& shards, bool each_pass)
    : shards_(shards), each_pass_(each_pass), places_(shards.parameters().size()) {
  const auto own = static_cast<std::size_t>(shards.shard());
  for (std::size_t i = 0; i < places_.size(); ++i)
    index_.emplace(shards.parameters()[i].tensor.unsafeGetTensorImpl(), i);
  for (const ShardedBucket& bucket : shards.buckets()) {
    for (const std::size_t item : bucket.cut.items)
      places_[item] = {.bucket = buckets_.size(), .has_own_sum = bucket.is_trained};
    const at::ScalarType sent = shards.sharding().rounded.value_or(bucket.type);
    const auto count =
        bucket.is_trained ? static_cast<std::int64_t>(bucket.cut.ranges[own].size()) : 0;
    const auto options = shards.parameters().front().tensor.options().dtype(bucket.type);
    buckets_.push_back({.sum = at::zeros({count}, options),
                        .sent = sent,
                        .portions = plan::portions_of(bucket.cut, shards.most_numbers(sent))});
  }
}

void ShardedGradients::begin_update() {
  if (has_begun_) return;
  const c10::NoGradGuard no_gradients;
  for (const Bucket& bucket : buckets_) bucket.sum.zero_();
  for (Place& place : places_) place.has_gradient = false;
  has_begun_ = true;
}

void ShardedGradients::is_ready(const at::Tensor& parameter) {
  const auto found = index_.find(parameter.unsafeGetTensorImpl());
  if (found == index_.end()) return;
  complete(found->second);
  // A rank that follows the others sends nothing before they have ended.
  if (!shards_.is_followed()) send_full();
}

void ShardedGradients::complete(std::size_t parameter) {
  Place& place = places_[parameter];
  if (!place.has_own_sum || place.is_complete) return;
  begin_update();
  place.is_complete = true;
  place.has_gradient |= shards_.parameters()[parameter].tensor.grad().defined();
  ++buckets_[place.bucket].complete;
  close_if_complete(shards_.buckets()[place.bucket].unit);
}

/// Frees the parameters of a unit once all of their gradients are complete. Backward may need those
/// of a unit with frozen parameters longer.
void ShardedGradients::close_if_complete(std::size_t unit) {
  if (unit == 0 || !shards_.is_trained(unit)) return;
  for (std::size_t i = 0; i < buckets_.size(); ++i)
    if (shards_.buckets()[i].unit == unit && !is_full(i)) return;
  shards_.close(unit);
}

bool ShardedGradients::is_full(std::size_t bucket) const {
  return buckets_[bucket].complete == shards_.buckets()[bucket].cut.items.size();
}

/// Sends the full buckets up to the first that is not full: all ranks must send them in one order.
void ShardedGradients::send_full() {
  for (; sent_ < buckets_.size(); ++sent_) {
    if (!shards_.buckets()[sent_].is_trained) continue;
    if (!is_full(sent_)) return;
    send(sent_);
  }
}

/// Begins to add up a bucket, and frees its gradients. Waits if too many sums go on already.
void ShardedGradients::send(std::size_t bucket) {
  const c10::NoGradGuard no_gradients;
  const auto own = static_cast<std::size_t>(shards_.shard());
  const std::uint64_t begin = shards_.buckets()[bucket].cut.ranges[own].begin;
  for (const plan::Portion& portion : buckets_[bucket].portions) {
    Exchange& exchange = shards_.exchanges().next(buckets_[bucket].sent);
    fill(bucket, portion, exchange.numbers());
    const plan::Range& kept = portion.numbers[own];
    exchange.begin_sum_into(part_of(buckets_[bucket].sum, {kept.begin - begin, kept.end - begin}),
                            portion.places);
  }
  for (const std::size_t parameter : shards_.buckets()[bucket].cut.items)
    shards_.parameters()[parameter].tensor.mutable_grad().reset();
}

/// Copies a portion of the gradients of a bucket to a tensor that is sent; zeros for those that
/// this rank lacks.
void ShardedGradients::fill(std::size_t bucket, const plan::Portion& portion,
                            const at::Tensor& numbers) {
  for (std::size_t shard = 0; shard < portion.numbers.size(); ++shard) {
    const at::Tensor place = part_of(numbers, portion.places[shard]);
    shards_.visit(
        shards_.buckets()[bucket].cut, portion.numbers[shard],
        [&](std::size_t parameter, std::int64_t begin, std::int64_t count, std::int64_t offset) {
          const at::Tensor& gradient = shards_.parameters()[parameter].tensor.grad();
          const at::Tensor to = place.narrow(0, offset, count);
          if (!gradient.defined()) {
            to.zero_();
          } else {
            const at::Tensor dense = gradient.is_sparse() ? gradient.to_dense() : gradient;
            to.copy_(dense.reshape(-1).narrow(0, begin, count));
          }
        });
  }
}

void ShardedGradients::send_rest() {
  for (std::size_t i = 0; i < places_.size(); ++i) complete(i);
  shards_.close_units();
  send_full();
  shards_.end_pass();  // other ranks may wait for what was sent just now
  // The next backward of the update begins anew.
  for (Place& place : places_) place.is_complete = false;
  for (Bucket& bucket : buckets_) bucket.complete = 0;
  sent_ = 0;
}

void ShardedGradients::finish(std::span<double> numbers) {
  std::vector<bool> has;  // nothing is missing of a parameter that gets no gradient
  for (const Place& place : places_) has.push_back(place.has_gradient || !place.has_own_sum);
  sum_and_agree(numbers, has, shards_.group());
  for (std::size_t i = 0; i < places_.size(); ++i)
    places_[i].has_gradient = has[i] && places_[i].has_own_sum;
  shards_.exchanges().finish();
  give_to_pieces();
  has_begun_ = false;
}

/// Makes the sums the gradients of the pieces.
void ShardedGradients::give_to_pieces() {
  const auto own = static_cast<std::size_t>(shards_.shard());
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    if (!shards_.buckets()[bucket].is_trained) continue;
    const std::uint64_t begin = shards_.buckets()[bucket].cut.ranges[own].begin;
    for (std::size_t i = shards_.first_piece(bucket); i < shards_.first_piece(bucket + 1); ++i) {
      const PiecePlace& place = shards_.places()[i];
      const at::Tensor& piece = shards_.pieces()[i].tensor;
      if (!places_[place.parameter].has_gradient) {
        piece.mutable_grad().reset();
        continue;
      }
      const std::uint64_t first = place.offset - begin;
      piece.mutable_grad() =
          part_of(buckets_[bucket].sum, {first, first + static_cast<std::uint64_t>(place.count)})
              .view(piece.sizes())
              .to(piece.device());
    }
  }
}

bool ShardedGradients::has_gradient(const at::Tensor& parameter) const {
  const auto found = index_.find(parameter.unsafeGetTensorImpl());
  return found != index_.end() && places_[found->second].has_gradient;
}

double ShardedGradients::seconds_alone() {
  using Clock = std::chrono::steady_clock;
  wait_for_device();
  shards_.group().any(false);  // all ranks begin at the same time
  const Clock::time_point begin = Clock::now();
  send_rest();
  shards_.exchanges().finish();
  wait_for_device();
  has_begun_ = false;
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::uint64_t ShardedGradients::bytes() const {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i)
    if (shards_.buckets()[i].is_trained)
      bytes += shards_.buckets()[i].cut.length * c10::elementSize(buckets_[i].sent);
  return bytes;
}

}  // namespace knead::engine::parallel
