#include <algorithm>
#include <vector>

#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include "runner/engine/parallel/shards.h"
#include "runner/trace/watch.h"

namespace knead::engine::parallel {

/// Makes the parameters views of tensors whose memory comes and goes.
void Shards::move_to_units() {
  for (ShardedBucket& bucket : buckets_) {
    is_open_.resize(std::max(is_open_.size(), bucket.unit + 1), false);
    const plan::CutBucket& cut = bucket.cut;
    const auto length = static_cast<std::int64_t>(cut.length);
    bucket.whole = at::empty({length}, parameters_[cut.items.front()].tensor.options());
    for (std::size_t i = 0; i < cut.items.size(); ++i) {
      at::Tensor parameter = parameters_[cut.items[i]].tensor;
      const plan::Range range{cut.offsets[i], cut.offsets[i] + items_[cut.items[i]].count};
      parameter.set_data(part_of(bucket.whole, range).view(parameter.sizes()));
    }
    spare_.take_from(bucket.whole);
  }
  // The memory of the largest unit serves all that compute one after the other.
  std::vector<std::size_t> bytes(is_open_.size(), 0);
  for (const ShardedBucket& bucket : buckets_)
    if (bucket.unit != 0) bytes[bucket.unit] += bucket.cut.length * c10::elementSize(bucket.type);
  spare_.set_most(*std::max_element(bytes.begin(), bytes.end()));
  make_unit_gathers();
}

void Shards::make_unit_gathers() {
  std::vector<std::vector<GatheredPart>> parts(is_open_.size());
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const at::ScalarType type = sent_type(buckets_[i]);
    std::vector<GatheredPart>& unit = parts[buckets_[i].unit];
    if (places_to_read_.empty()) {
      for (plan::Portion& portion : plan::portions_of(buckets_[i].cut, most_numbers(type)))
        unit.push_back({i, type, std::move(portion)});
    } else {
      plan::Portion all{.numbers = buckets_[i].cut.ranges, .places = {}};
      for (const plan::Range& range : all.numbers) all.places.push_back({0, range.size()});
      unit.push_back({i, type, std::move(all), places_to_read_[i].get()});
    }
  }
  const auto own = static_cast<std::size_t>(shard());
  unit_gathers_.emplace(
      std::move(parts), own, group_,
      [this, own](const GatheredPart& part, const at::Tensor& place) {
        fill(part.bucket, part.portion.numbers[own], place);
      },
      [this](const GatheredPart& part, std::size_t from, const at::Tensor& numbers) {
        part_of(buckets_[part.bucket].whole, part.portion.numbers[from]).copy_(numbers);
      });
}

Shards::~Shards() {
  const c10::NoGradGuard no_gradients;
  for (const ShardedBucket& bucket : buckets_) {
    if (!bucket.whole.defined()) continue;
    for (const std::size_t item : bucket.cut.items) {
      // A file would hold the whole bucket for a view of it.
      at::Tensor parameter = parameters_[item].tensor;
      parameter.set_data(at::empty(parameter.sizes(), bucket.whole.options()));
    }
  }
}

void Shards::open(std::size_t unit) {
  if (is_open_[unit]) return;
  is_open_[unit] = true;
  if (is_followed_) group_.of_first(static_cast<double>(unit + 1));
  const c10::NoGradGuard no_gradients;
  const trace::Span span("gathers parameters");
  for (const ShardedBucket& bucket : buckets_)
    if (bucket.unit == unit) spare_.give_to(bucket.whole);
  unit_gathers_->gather(unit);
}

void Shards::close(std::size_t unit) {
  if (!is_open_[unit]) return;
  is_open_[unit] = false;
  for (const ShardedBucket& bucket : buckets_)
    if (bucket.unit == unit) spare_.take_from(bucket.whole);
}

void Shards::close_units() {
  for (std::size_t unit = 1; unit < is_open_.size(); ++unit) close(unit);
}

void Shards::end_pass() {
  if (unit_gathers_) unit_gathers_->end_pass();
}

bool Shards::is_trained(std::size_t unit) const {
  return std::all_of(buckets_.begin(), buckets_.end(), [unit](const ShardedBucket& bucket) {
    return bucket.unit != unit || bucket.is_trained;
  });
}

// Each rank that computes says which unit it opens, before it does; 0 says that it is done.
void Shards::compute_or_follow(bool computes, const std::function<void()>& compute) {
  if (!computes) return follow();
  is_followed_ = true;
  compute();
  is_followed_ = false;
  group_.of_first(0.0);
}

void Shards::follow() {
  for (;;) {
    const double told = group_.of_first(0.0);
    if (told == 0) return;
    const auto unit = static_cast<std::size_t>(told) - 1;
    open(unit);
    if (unit != 0) close(unit);
  }
}

}  // namespace knead::engine::parallel
