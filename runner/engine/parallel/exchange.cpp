#include "runner/engine/parallel/exchange.h"

namespace knead::engine::parallel {
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

Exchanges::Exchanges(const std::map<at::ScalarType, std::int64_t>& counts, std::size_t at_once,
                     const at::Device& device, Group& group) {
  for (const auto& [type, count] : counts) {
    const auto options = at::TensorOptions().dtype(type).device(device);
    for (std::size_t i = 0; i < at_once; ++i)
      rings_[type].exchanges.push_back(std::make_unique<Exchange>(count, options, group));
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
