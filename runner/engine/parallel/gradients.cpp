#include "runner/engine/parallel/gradients.h"

#include <algorithm>
#include <chrono>
#include <map>

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
  const std::uint64_t most = group.most_at_once(sending.bucket);
  std::vector<std::int64_t> lengths;           // numbers in a bucket
  std::vector<std::int64_t> offsets;           // of a place in its bucket
  std::vector<at::ScalarType> types;           // of a bucket
  std::map<at::ScalarType, std::size_t> open;  // the bucket that is not full yet
  for (auto each = parameters.rbegin(); each != parameters.rend(); ++each) {
    const at::Tensor& parameter = each->tensor;
    if (!parameter.requires_grad() || index_.contains(parameter.unsafeGetTensorImpl())) continue;
    const at::ScalarType type = sending.rounded.value_or(parameter.scalar_type());
    const auto found = open.find(type);
    const std::size_t bucket = found == open.end() ? lengths.size() : found->second;
    if (bucket == lengths.size()) {
      lengths.push_back(0);
      types.push_back(type);
      buckets_.emplace_back();
      open[type] = bucket;
    }
    index_[parameter.unsafeGetTensorImpl()] = places_.size();
    places_.push_back({.parameter = parameter, .gradient = {}, .bucket = bucket});
    offsets.push_back(lengths[bucket]);
    lengths[bucket] += parameter.numel();
    ++buckets_[bucket].places;
    const auto bytes = static_cast<std::uint64_t>(lengths[bucket]) * c10::elementSize(type);
    if (bytes >= most) open.erase(type);
  }
  for (std::size_t i = 0; i < buckets_.size(); ++i)
    buckets_[i].numbers =
        group_.make_summand(lengths[i], places_[0].parameter.options().dtype(types[i]));
  for (std::size_t i = 0; i < places_.size(); ++i)
    places_[i].gradient =
        part_of(buckets_[places_[i].bucket].numbers, offsets[i], places_[i].parameter);
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
  std::vector<double> all(numbers.begin(), numbers.end());
  all.push_back(static_cast<double>(std::count_if(
      places_.begin(), places_.end(), [](const Place& place) { return !place.has_gradient; })));
  group_.sum(all);
  std::copy(all.begin(), all.end() - 1, numbers.begin());
  for (Bucket& bucket : buckets_) bucket.sum.wait();
  agree_on_missing(all.back());
  give_back();
}

/// Finds the parameters that any rank has a gradient for. Most models reach all of their
/// parameters, and send nothing here.
void Gradients::agree_on_missing(double missing) {
  if (missing == 0) return;
  std::vector<double> has(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) has[i] = places_[i].has_gradient ? 1 : 0;
  group_.sum(has);
  for (std::size_t i = 0; i < places_.size(); ++i) places_[i].has_gradient = has[i] != 0;
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
