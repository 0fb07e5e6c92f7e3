#include "runner/engine/parallel/unit_gathers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "runner/engine/device/device.h"

namespace knead::engine::parallel {
namespace {

using Parts = std::vector<std::vector<GatheredPart>>;

/// Bounds the parts that ranks which share memory have begun and not read. Nothing is on its way
/// there: a part that is written early only spares other ranks a wait. Slower ranks may still read
/// as many earlier parts.
constexpr std::size_t kInSharedMemory = plan::kPortionsToRead / 2;

/// Returns how many parts are begun at once. A whole unit is on its way over a network; it costs
/// nothing where the numbers lie in shared memory already.
std::size_t parts_at_once(const Parts& parts, bool shares_memory) {
  std::size_t most = kInSharedMemory;
  const bool has_places = !parts.empty() && !parts.back().empty() && parts.back().front().place;
  if (shares_memory && !has_places) return most;
  for (std::size_t unit = 1; unit < parts.size(); ++unit) most = std::max(most, parts[unit].size());
  return most;
}

/// Returns the numbers of the largest part of each dtype.
std::map<at::ScalarType, std::int64_t> largest_parts(const Parts& parts) {
  std::map<at::ScalarType, std::int64_t> counts;
  for (const std::vector<GatheredPart>& unit : parts) {
    for (const GatheredPart& part : unit) {
      if (part.place) continue;
      std::int64_t& count = counts[part.type];
      count = std::max(count, static_cast<std::int64_t>(part.portion.places.back().end));
    }
  }
  return counts;
}

bool shares_memory(const Group& group) { return group.shares_memory() && device().is_cpu(); }

}  // namespace

UnitGathers::UnitGathers(Parts parts, std::size_t shard, Group& group, Fill fill, Receive receive)
    : parts_(std::move(parts)),
      shard_(shard),
      at_once_(parts_at_once(parts_, shares_memory(group))),
      exchanges_(largest_parts(parts_), shares_memory(group) ? plan::kPortionsToRead : at_once_,
                 device(), group),
      fill_(std::move(fill)),
      receive_(std::move(receive)) {}

void UnitGathers::gather(std::size_t unit) {
  forecast_.open(unit);
  if (unit != unit_) drop();
  unit_ = unit;
  for (begin_more(); !begun_.empty(); begin_more()) {
    const Begun begun = begun_.front();
    begun_.pop_front();
    begun.exchange->read([&](std::size_t shard, const at::Tensor& numbers) {
      receive_(*begun.part, shard, numbers);
    });
  }
  next_part_ = 0;
  unit_ = forecast_.next().value_or(0);
  if (unit_ != 0) begin_more();
}

/// Begins parts of the unit, in their order.
void UnitGathers::begin_more() {
  const std::vector<GatheredPart>& parts = parts_[unit_];
  for (; next_part_ < parts.size() && begun_.size() < at_once_; ++next_part_) {
    const GatheredPart& part = parts[next_part_];
    Exchange& exchange = part.place ? *part.place : exchanges_.next(part.type);
    const at::Tensor& numbers = exchange.numbers();
    if (!part.place) fill_(part, part_of(numbers, part.portion.places[shard_]));
    exchange.begin_gather(part.portion.places);
    begun_.push_back({&part, &exchange});
  }
}

void UnitGathers::end_pass() {
  forecast_.end();
  drop();
  for (const std::vector<GatheredPart>& unit : parts_) {
    for (const GatheredPart& part : unit)
      if (part.place) part.place->finish();
  }
}

/// Reads what was begun without keeping it: every rank must do so, before the memory is used again.
void UnitGathers::drop() {
  for (const Begun& begun : begun_) begun.exchange->read([](std::size_t, const at::Tensor&) {});
  begun_.clear();
  next_part_ = 0;
  unit_ = 0;
}

}  // namespace knead::engine::parallel
