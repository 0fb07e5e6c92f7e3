#include "runner/engine/parallel/exchange.h"

namespace knead::engine::parallel {
namespace {

/// Bounds the operations of a dtype that go on at once: one is filled while others are carried out.
constexpr int kAtOnce = 3;

}  // namespace

Exchange::Exchange(std::int64_t count, const at::TensorOptions& options, Group& group)
    : group_(group), numbers_(group.make_summand(count, options)) {}

const at::Tensor& Exchange::numbers() {
  finish();
  return numbers_;
}

void Exchange::begin_sum_into(const at::Tensor& target, const std::vector<plan::Range>& cut) {
  sum_ = group_.begin_sum_into(numbers_, target, cut);
}

void Exchange::begin_gather(const std::vector<plan::Range>& cut) {
  gathering_ = group_.begin_gather(numbers_, cut);
  shards_ = cut.size();
}

void Exchange::read(const See& see) {
  gathering_->wait();
  for (std::size_t shard = 0; shard < shards_; ++shard) see(shard, gathering_->part(shard));
  gathering_->release();
}

void Exchange::finish() {
  sum_.wait();
  if (gathering_) gathering_->wait_for_others();
  gathering_.reset();
}

Exchanges::Exchanges(const std::map<at::ScalarType, std::int64_t>& counts, const at::Device& device,
                     Group& group) {
  for (const auto& [type, count] : counts) {
    const auto options = at::TensorOptions().dtype(type).device(device);
    for (int i = 0; i < kAtOnce; ++i)
      rings_[type].exchanges.push_back(std::make_unique<Exchange>(count, options, group));
    bytes_ += static_cast<std::uint64_t>(count) * c10::elementSize(type) * kAtOnce;
  }
}

Exchange& Exchanges::next(at::ScalarType type) {
  Ring& ring = rings_.at(type);
  Exchange& next = *ring.exchanges[ring.next];
  ring.next = (ring.next + 1) % ring.exchanges.size();
  return next;
}

void Exchanges::finish() {
  for (auto& [type, ring] : rings_)
    for (const auto& exchange : ring.exchanges) exchange->finish();
}

}  // namespace knead::engine::parallel
