#include "runner/engine/parallel/group.h"

#include <algorithm>
#include <cstring>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include "runner/engine/device/device.h"
#include "runner/engine/parallel/gloo.h"
#include "runner/engine/parallel/nccl.h"
#include "runner/engine/parallel/neighbours.h"
#include "runner/engine/parallel/shared_sums.h"
#include "runner/engine/parallel/through_host.h"

namespace knead::engine::parallel {
namespace {

at::Tensor view_of(std::span<double> numbers) {
  return at::from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())}, at::kDouble);
}

}  // namespace

Group::Group() = default;
Group::~Group() = default;

Group::Group(const Membership& membership) : rank_(membership.rank), ranks_(membership.ranks) {
  if (ranks_ == 1) return;
  gloo_ = std::make_unique<Gloo>(membership);
  if (membership.local_ranks == ranks_) {
    neighbours_ =
        Neighbours::meet(membership, [this](const std::string& text) { return gather(text); });
    if (neighbours_) sums_ = std::make_unique<SharedSums>(*neighbours_);
  }
  if (device().is_cpu()) return;
  if (membership.nccl) {
    device_ = std::make_unique<Nccl>(membership,
                                     [this](const std::string& text) { return of_first(text); });
  } else {
    device_ = std::make_unique<ThroughHost>(*gloo_);
  }
}

Collectives& Group::carrier_of(const at::Tensor& tensor) {
  return tensor.is_cpu() ? *gloo_ : *device_;
}

std::uint64_t Group::most_at_once(std::uint64_t bytes) const {
  return sums_ && device().is_cpu() ? std::min(bytes, kMostInMemory) : bytes;
}

at::Tensor Group::make_summand(std::int64_t count, const at::TensorOptions& options) {
  at::Tensor shared;
  if (sums_ && options.device().is_cpu())
    shared = sums_->make(count, c10::typeMetaToScalarType(options.dtype()));
  return shared.defined() ? shared : at::zeros({count}, options);
}

bool Group::is_shared(const at::Tensor& tensor) const { return sums_ && sums_->has_made(tensor); }

Group::Sum Group::begin_sum(const at::Tensor& tensor) {
  if (is_alone()) return Sum();
  auto running = sums_ ? sums_->begin(tensor) : nullptr;
  return Sum(running ? std::move(running) : carrier_of(tensor).begin_sum(tensor));
}

Group::Sum Group::begin_sum_into(const at::Tensor& tensor, const at::Tensor& target,
                                 const std::vector<plan::Range>& cut) {
  auto running = sums_ ? sums_->begin_into(tensor, target, cut) : nullptr;
  return Sum(running ? std::move(running) : carrier_of(tensor).begin_sum_into(tensor, target, cut));
}

std::unique_ptr<Gathering> Group::begin_gather(const at::Tensor& tensor,
                                               const std::vector<plan::Range>& cut) {
  auto gathering = sums_ ? sums_->begin_gather(tensor, cut) : nullptr;
  return gathering ? std::move(gathering) : carrier_of(tensor).begin_gather(tensor, cut);
}

void Group::Sum::wait() {
  if (running_) running_->wait();
  running_.reset();
}

void Group::sum(std::span<double> numbers) {
  if (neighbours_) return neighbours_->sum(numbers);
  if (!is_alone()) gloo_->sum(numbers);
}

bool Group::any(bool value) {
  double number = value ? 1 : 0;  // the sum counts the ranks that pass true
  sum({&number, 1});
  return number != 0;
}

double Group::of_first(double value) {
  if (!is_alone()) copy_from_first(view_of({&value, 1}));
  return value;
}

void Group::copy_from_first(const at::Tensor& tensor) {
  if (neighbours_ && tensor.is_cpu())
    return neighbours_->copy_from_first(
        {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()});
  if (!is_alone()) carrier_of(tensor).copy_from_first(tensor);
}

std::string Group::of_first(const std::string& text) {
  if (is_alone()) return text;
  const auto size = static_cast<std::int64_t>(of_first(static_cast<double>(text.size())));
  const at::Tensor bytes = at::zeros({std::max<std::int64_t>(size, 1)}, at::kByte);
  if (is_first()) std::memcpy(bytes.data_ptr(), text.data(), text.size());
  copy_from_first(bytes);
  return {static_cast<const char*>(bytes.data_ptr()), static_cast<std::size_t>(size)};
}

std::vector<std::string> Group::gather(const std::string& text) {
  if (is_alone()) return {text};
  if (neighbours_) return neighbours_->gather(text);
  std::vector<double> sizes(static_cast<std::size_t>(ranks_), 0);
  sizes[static_cast<std::size_t>(rank_)] = static_cast<double>(text.size());
  sum(sizes);
  const double longest = *std::max_element(sizes.begin(), sizes.end());
  // Padded, because Gloo gathers equal lengths.
  const auto length = std::max<std::int64_t>(static_cast<std::int64_t>(longest), 1);
  const at::Tensor own = at::zeros({length}, at::kByte);
  std::memcpy(own.data_ptr(), text.data(), text.size());
  at::Tensor all = at::empty({length * ranks_}, at::kByte);
  gloo_->gather(own, all);
  std::vector<std::string> texts;
  const char* const begin = static_cast<const char*>(all.data_ptr());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    texts.emplace_back(begin + static_cast<std::int64_t>(i) * length,
                       static_cast<std::size_t>(sizes[i]));
  return texts;
}

}  // namespace knead::engine::parallel
