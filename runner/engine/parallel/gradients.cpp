#include "runner/engine/parallel/gradients.h"

#include <algorithm>
#include <chrono>

#include <c10/core/GradMode.h>

#include "runner/engine/device/device.h"

namespace knead::engine::parallel {
namespace {

/// Returns the part of a flat tensor that holds the gradient of a parameter, in its layout if that
/// has no gaps: fused kernels want the gradient to be laid out as the parameter is.
at::Tensor part_of(const at::Tensor& flat, std::int64_t offset, const at::Tensor& parameter) {
  const at::Tensor part = flat.narrow(0, offset, parameter.numel());
  return parameter.is_non_overlapping_and_dense()
             ? part.as_strided(parameter.sizes(), parameter.strides())
             : part.view(parameter.sizes());
}

}  // namespace

Gradients::Gradients(const NamedTensors& parameters, const Sending& sending, Group& group)
    : group_(group) {
  std::vector<plan::BucketItem> items;
  for (auto each = parameters.rbegin(); each != parameters.rend(); ++each) {
    const at::Tensor& parameter = each->tensor;
    if (!parameter.requires_grad()) continue;
    if (!index_.emplace(parameter.unsafeGetTensorImpl(), places_.size()).second) continue;
    places_.push_back({.parameter = parameter, .gradient = {}, .bucket = 0});
    const at::ScalarType type = sending.rounded.value_or(parameter.scalar_type());
    items.push_back({static_cast<std::uint64_t>(parameter.numel()), c10::elementSize(type),
                     static_cast<int>(type)});
  }
  for (const auto& bucket : plan::fill_buckets(items, group.most_at_once(sending.bucket)))
    add_bucket(bucket, static_cast<at::ScalarType>(items[bucket.front()].kind));
}

/// Makes a bucket of the gradients at some places, one behind the other.
void Gradients::add_bucket(const std::vector<std::size_t>& places, at::ScalarType type) {
  std::int64_t length = 0;
  for (const std::size_t place : places) length += places_[place].parameter.numel();
  const at::Tensor numbers =
      group_.make_summand(length, places_[0].parameter.options().dtype(type));
  std::int64_t offset = 0;
  for (const std::size_t place : places) {
    places_[place].bucket = buckets_.size();
    places_[place].gradient = part_of(numbers, offset, places_[place].parameter);
    offset += places_[place].parameter.numel();
  }
  buckets_.push_back({.numbers = numbers, .places = places.size(), .filled = 0, .sum = {}});
}

void Gradients::is_ready(const at::Tensor& parameter) {
  const auto found = index_.find(parameter.unsafeGetTensorImpl());
  if (found == index_.end()) return;
  fill(places_[found->second]);
  send_full();
}

/// Copies a gradient into its bucket; zeros if this rank has none.
void Gradients::fill(Place& place) {
  if (place.is_filled) return;
  const c10::NoGradGuard no_gradients;
  const at::Tensor& gradient = place.parameter.grad();
  place.has_gradient = gradient.defined();
  if (place.has_gradient) {
    place.gradient.copy_(gradient.is_sparse() ? gradient.to_dense() : gradient);
  } else {
    place.gradient.zero_();
  }
  // Freed at once, so that the next layer's gradient takes its memory.
  place.parameter.mutable_grad().reset();
  place.is_filled = true;
  ++buckets_[place.bucket].filled;
}

/// Sends the full buckets up to the first that is not full: all ranks must send them in one order.
void Gradients::send_full() {
  while (sent_ < buckets_.size() && buckets_[sent_].filled == buckets_[sent_].places) {
    buckets_[sent_].sum = group_.begin_sum(buckets_[sent_].numbers);
    ++sent_;
  }
}

void Gradients::send_rest() {
  for (Place& place : places_) fill(place);
  send_full();
}

void Gradients::finish(std::span<double> numbers) {
  std::vector<bool> has;
  for (const Place& place : places_) has.push_back(place.has_gradient);
  sum_and_agree(numbers, has, group_);
  for (std::size_t i = 0; i < places_.size(); ++i) places_[i].has_gradient = has[i];
  for (Bucket& bucket : buckets_) bucket.sum.wait();
  give_back();
}

/// Makes the sums the gradients of the parameters, and begins anew.
void Gradients::give_back() {
  const c10::NoGradGuard no_gradients;
  for (Place& place : places_) {
    at::Tensor& gradient = place.parameter.mutable_grad();
    if (!place.has_gradient) {
      gradient.reset();
    } else if (place.gradient.scalar_type() == place.parameter.scalar_type()) {
      gradient = place.gradient;
    } else {
      gradient = place.gradient.to(place.parameter.scalar_type());
    }
    place.is_filled = place.has_gradient = false;
  }
  for (Bucket& bucket : buckets_) bucket.filled = 0;
  sent_ = 0;
}

bool Gradients::has_gradient(const at::Tensor& parameter) const {
  return parameter.grad().defined();
}

double Gradients::seconds_alone() {
  using Clock = std::chrono::steady_clock;
  for (const Bucket& bucket : buckets_) bucket.numbers.zero_();
  wait_for_device();
  group_.any(false);  // all ranks begin at the same time
  const Clock::time_point begin = Clock::now();
  for (Bucket& bucket : buckets_) bucket.sum = group_.begin_sum(bucket.numbers);
  for (Bucket& bucket : buckets_) bucket.sum.wait();
  wait_for_device();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::uint64_t Gradients::bytes() const {
  std::uint64_t bytes = 0;
  for (const Bucket& bucket : buckets_) bytes += bucket.numbers.nbytes();
  return bytes;
}

}  // namespace knead::engine::parallel
