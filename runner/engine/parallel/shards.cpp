#include "runner/engine/parallel/shards.h"

#include <algorithm>
#include <map>

#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

namespace knead::engine::parallel {
namespace {

/// Bounds the operations of a dtype that go on at once: one is filled while others are carried out.
constexpr std::size_t kExchangesAtOnce = 3;

/// Returns numbers of a row-major tensor, as a view.
at::Tensor numbers_of(const at::Tensor& tensor, std::int64_t begin, std::int64_t count) {
  return tensor.detach().view(-1).narrow(0, begin, count);
}

}  // namespace

Shards::Shards(const NamedTensors& parameters, const Sharding& sharding, Group& group)
    : parameters_(parameters), sharding_(sharding), group_(group) {
  const c10::NoGradGuard no_gradients;
  sharding_.bucket = group.most_at_once(sharding_.bucket);
  for (const NamedTensor& each : parameters_) {
    at::Tensor parameter = each.tensor;
    if (!parameter.is_contiguous()) parameter.set_data(parameter.contiguous());
    // A bucket holds what becomes whole together, and has gradients or has not.
    constexpr int kTypes = static_cast<int>(at::ScalarType::NumOptions);
    const int kind = static_cast<int>(parameter.scalar_type()) +
                     kTypes * ((parameter.requires_grad() ? 1 : 0) +
                               2 * static_cast<int>(unit_of(items_.size())));
    items_.push_back({static_cast<std::uint64_t>(parameter.numel()),
                      static_cast<std::uint64_t>(parameter.element_size()), kind});
  }
  make_buckets();
  make_exchanges();
  share_pieces();
  make_pieces();
  if (!parameters_are_whole()) move_to_units();
  // The first update computes with rounded parameters too.
  if (parameters_are_whole() && sharding_.gathered) gather();
}

std::size_t Shards::unit_of(std::size_t parameter) const {
  return sharding_.units.empty() ? 0 : sharding_.units[parameter];
}

/// Fills the buckets in the reverse order of the parameters, which is about that of backward. What
/// is in no unit comes last: its last gradient is the last of all.
void Shards::make_buckets() {
  std::vector<plan::BucketItem> divided;
  std::vector<std::size_t> numbers;  // of the divided parameters
  for (std::size_t i = parameters_.size(); i-- > 0;) {
    const at::Tensor& parameter = parameters_[i].tensor;
    const bool is_divided = parameter.requires_grad() || !sharding_.units.empty();
    if (!is_divided || parameter.numel() == 0) continue;
    if (!index_.emplace(parameter.unsafeGetTensorImpl(), i).second) continue;
    divided.push_back(items_[i]);
    numbers.push_back(i);
  }
  std::vector<int> owners(items_.size(), 0);
  const std::vector<int> of_divided = plan::balanced_owners(divided, shards());
  for (std::size_t i = 0; i < numbers.size(); ++i) owners[numbers[i]] = of_divided[i];
  for (std::vector<std::size_t>& bucket : plan::fill_buckets(divided, sharding_.bucket)) {
    for (std::size_t& item : bucket) item = numbers[item];
    divide(bucket, owners);
  }
  std::stable_partition(buckets_.begin(), buckets_.end(),
                        [](const ShardedBucket& bucket) { return bucket.unit != 0; });
}

/// Adds a bucket of parameters.
void Shards::divide(const std::vector<std::size_t>& numbers, const std::vector<int>& owners) {
  const at::Tensor& first = parameters_[numbers.front()].tensor;
  buckets_.push_back({.cut = sharding_.whole_tensors
                                 ? plan::cut_between(items_, numbers, owners, shards())
                                 : plan::cut_evenly(items_, numbers, shards()),
                      .type = first.scalar_type(),
                      .is_trained = first.requires_grad(),
                      .unit = unit_of(numbers.front())});
}

void Shards::make_exchanges() {
  std::map<at::ScalarType, std::int64_t> counts;
  for (const ShardedBucket& bucket : buckets_) {
    for (const at::ScalarType type :
         {bucket.type, sent_type(bucket), sharding_.rounded.value_or(bucket.type)}) {
      std::int64_t& count = counts[type];
      for (const plan::Portion& portion : plan::portions_of(bucket.cut, most_numbers(type)))
        count = std::max(count, static_cast<std::int64_t>(portion.places.back().end));
    }
  }
  exchanges_.emplace(counts, kExchangesAtOnce, parameters_.front().tensor.device(), group_);
}

/// Makes places for the pieces of units in memory that ranks share. A unit is then read where it
/// lies, and nothing is sent. There are none if this is not possible, or parameters are rounded.
void Shards::share_pieces() {
  const at::Device device = parameters_.front().tensor.device();
  const bool are_sent_as_they_are =
      std::all_of(buckets_.begin(), buckets_.end(),
                  [this](const ShardedBucket& bucket) { return sent_type(bucket) == bucket.type; });
  if (parameters_are_whole() || sharding_.depot || !device.is_cpu() || !are_sent_as_they_are ||
      !group_.shares_memory())
    return;
  for (const ShardedBucket& bucket : buckets_) {
    std::uint64_t most = 0;
    for (const plan::Range& range : bucket.cut.ranges) most = std::max(most, range.size());
    places_to_read_.push_back(
        std::make_unique<Exchange>(most, at::TensorOptions(device).dtype(bucket.type), group_));
    if (!places_to_read_.back()->is_shared()) return places_to_read_.clear();
  }
}

/// Returns a tensor with the numbers of a piece that this rank owns.
at::Tensor Shards::own_piece(std::size_t bucket, const plan::CutPiece& piece) const {
  const at::Tensor& parameter = parameters_[piece.item].tensor;
  const auto count = static_cast<std::int64_t>(piece.count);
  const at::Tensor there =
      count == parameter.numel()
          ? parameter.detach()
          : numbers_of(parameter, static_cast<std::int64_t>(piece.begin), count);
  if (sharding_.depot) return sharding_.depot->keep(there.clone());
  if (places_to_read_.empty()) return owns_pieces() ? there.clone() : there;
  const plan::Range& range = buckets_[bucket].cut.ranges[static_cast<std::size_t>(shard())];
  const std::uint64_t first = piece.offset - range.begin;
  const at::Tensor place =
      part_of(places_to_read_[bucket]->numbers(), {first, first + piece.count}).view(there.sizes());
  place.copy_(there);
  return place;
}

void Shards::make_pieces() {
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    first_pieces_.push_back(pieces_.size());
    for (const plan::CutPiece& piece : plan::pieces_of(buckets_[i].cut, items_, shard())) {
      const NamedTensor& parameter = parameters_[piece.item];
      at::Tensor tensor = own_piece(i, piece);
      tensor.set_requires_grad(buckets_[i].is_trained);
      pieces_.push_back({parameter.name, tensor});
      places_.push_back({piece.item, static_cast<std::int64_t>(piece.begin),
                         static_cast<std::int64_t>(piece.count), parameter.tensor.sizes().vec(),
                         piece.offset});
    }
  }
  first_pieces_.push_back(pieces_.size());
}

bool Shards::is_sharded(const at::Tensor& parameter) const {
  return index_.contains(parameter.unsafeGetTensorImpl());
}

std::uint64_t Shards::most_numbers(at::ScalarType type) const {
  return std::max<std::uint64_t>(sharding_.bucket / c10::elementSize(type), 1);
}

/// Returns the dtype in which the parameters of a bucket are sent. Rounds only those that are
/// wider.
at::ScalarType Shards::sent_type(const ShardedBucket& bucket) const {
  const at::ScalarType rounded = sharding_.gathered.value_or(bucket.type);
  return c10::elementSize(rounded) < c10::elementSize(bucket.type) ? rounded : bucket.type;
}

void Shards::visit(const plan::CutBucket& cut, const plan::Range& range,
                   const SeeNumbers& see) const {
  // The last parameter that begins at or before the range.
  const auto after = std::upper_bound(cut.offsets.begin(), cut.offsets.end(), range.begin);
  for (auto i =
           static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - cut.offsets.begin(), 1) - 1);
       i < cut.items.size() && cut.offsets[i] < range.end; ++i) {
    const std::uint64_t first = cut.offsets[i];
    const std::uint64_t begin = std::max(range.begin, first);
    const std::uint64_t end = std::min(range.end, first + items_[cut.items[i]].count);
    if (begin < end)
      see(cut.items[i], static_cast<std::int64_t>(begin - first),
          static_cast<std::int64_t>(end - begin), static_cast<std::int64_t>(begin - range.begin));
  }
}

void Shards::gather() {
  if (!parameters_are_whole()) {
    close(0);
    close_units();
    return end_pass();
  }
  const c10::NoGradGuard no_gradients;
  const bool has_own = !sharding_.gathered;  // the pieces are views of the parameters
  gather_numbers(0, buckets_.size(), /*is_rounded=*/true,
                 [&](const ShardedBucket& bucket, const plan::Range& numbers, std::size_t from,
                     const at::Tensor& part) {
                   if (has_own && from == static_cast<std::size_t>(shard())) return;
                   visit(bucket.cut, numbers,
                         [&](std::size_t parameter, std::int64_t begin, std::int64_t count,
                             std::int64_t offset) {
                           numbers_of(parameters_[parameter].tensor, begin, count)
                               .copy_(part.narrow(0, offset, count));
                         });
                 });
}

/// Gives each rank the numbers that all ranks own of the buckets from `first` to before `last`.
/// Portions are sent one after the other, and read one later: while ranks read one, the next is
/// filled.
void Shards::gather_numbers(std::size_t first, std::size_t last, bool is_rounded,
                            const Receive& receive) {
  const auto own = static_cast<std::size_t>(shard());
  std::function<void()> read_last = [] {};
  for (std::size_t i = first; i < last; ++i) {
    const ShardedBucket& bucket = buckets_[i];
    const at::ScalarType type = is_rounded ? sent_type(bucket) : bucket.type;
    for (const plan::Portion& portion : plan::portions_of(bucket.cut, most_numbers(type))) {
      Exchange& exchange = exchanges_->next(type);
      fill(i, portion.numbers[own], part_of(exchange.numbers(), portion.places[own]));
      exchange.begin_gather(portion.places);
      read_last();
      read_last = [&receive, &bucket, &exchange, numbers = portion.numbers] {
        exchange.read([&](std::size_t shard, const at::Tensor& part) {
          receive(bucket, numbers[shard], shard, part);
        });
      };
    }
  }
  read_last();
}

/// Copies numbers of a bucket that this rank owns to a flat tensor.
void Shards::fill(std::size_t bucket, const plan::Range& numbers, const at::Tensor& place) const {
  for (std::size_t i = first_pieces_[bucket]; i < first_pieces_[bucket + 1]; ++i) {
    const std::uint64_t first = places_[i].offset;
    const std::uint64_t begin = std::max(numbers.begin, first);
    const std::uint64_t end =
        std::min(numbers.end, first + static_cast<std::uint64_t>(places_[i].count));
    if (begin >= end) continue;
    part_of(place, {begin - numbers.begin, end - numbers.begin})
        .copy_(part_of(pieces_[i].tensor.detach().view(-1), {begin - first, end - first}));
    if (sharding_.depot) sharding_.depot->put_away(pieces_[i].tensor);
  }
}

void Shards::visit_whole(const std::function<void(const NamedTensor&)>& see) {
  const c10::NoGradGuard no_gradients;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const plan::CutBucket& cut = buckets_[i].cut;
    const at::Tensor whole =
        at::empty({static_cast<std::int64_t>(cut.length)},
                  parameters_.front().tensor.options().dtype(buckets_[i].type));
    gather_numbers(i, i + 1, /*is_rounded=*/false,
                   [&](const ShardedBucket&, const plan::Range& numbers, std::size_t,
                       const at::Tensor& part) { part_of(whole, numbers).copy_(part); });
    for (std::size_t k = 0; k < cut.items.size(); ++k) {
      const auto& [name, parameter] = parameters_[cut.items[k]];
      const plan::Range range{cut.offsets[k],
                              cut.offsets[k] + static_cast<std::uint64_t>(parameter.numel())};
      see({name, part_of(whole, range).view(parameter.sizes())});
    }
  }
}

}  // namespace knead::engine::parallel
