#include "runner/plan/shards.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace knead::plan {
namespace {

/// Tensors and shards begin at multiples of this, a cache line of numbers of 4 bytes. Kernels may
/// round in another way for tensors that begin elsewhere.
constexpr std::uint64_t kAlignment = 16;

std::uint64_t round_up(std::uint64_t number, std::uint64_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

/// Lays the items of a bucket out in their order.
CutBucket laid_out(const std::vector<BucketItem>& items, std::vector<std::size_t> bucket) {
  CutBucket out;
  out.items = std::move(bucket);
  for (const std::size_t item : out.items) {
    out.offsets.push_back(out.length);
    out.length += round_up(items[item].count, kAlignment);
  }
  return out;
}

}  // namespace

std::vector<std::vector<std::size_t>> fill_buckets(const std::vector<BucketItem>& items,
                                                   std::uint64_t most) {
  struct Open {
    std::size_t bucket;
    std::uint64_t bytes;
  };
  std::vector<std::vector<std::size_t>> buckets;
  std::map<int, Open> open;  // the bucket of a kind that is not full yet
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto [found, is_new] = open.try_emplace(items[i].kind, Open{buckets.size(), 0});
    if (is_new) buckets.emplace_back();
    buckets[found->second.bucket].push_back(i);
    found->second.bytes += items[i].count * items[i].bytes;
    if (found->second.bytes >= most) open.erase(found);
  }
  return buckets;
}

CutBucket cut_evenly(const std::vector<BucketItem>& items, std::vector<std::size_t> bucket,
                     int shards) {
  CutBucket out = laid_out(items, std::move(bucket));
  const auto count = static_cast<std::uint64_t>(shards);
  const std::uint64_t part = round_up((out.length + count - 1) / count, kAlignment);
  out.length = part * count;
  for (std::uint64_t shard = 0; shard < count; ++shard)
    out.ranges.push_back({shard * part, (shard + 1) * part});
  return out;
}

CutBucket cut_between(const std::vector<BucketItem>& items, std::vector<std::size_t> bucket,
                      const std::vector<int>& owners, int shards) {
  std::stable_sort(bucket.begin(), bucket.end(),
                   [&](std::size_t a, std::size_t b) { return owners[a] < owners[b]; });
  CutBucket out = laid_out(items, std::move(bucket));
  std::uint64_t end = 0;
  for (int shard = 0; shard < shards; ++shard) {
    const std::uint64_t begin = end;
    for (const std::size_t item : out.items)
      end += owners[item] == shard ? round_up(items[item].count, kAlignment) : 0;
    out.ranges.push_back({begin, end});
  }
  return out;
}

std::vector<int> balanced_owners(const std::vector<BucketItem>& items, int shards) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  const auto bytes = [&](std::size_t item) { return items[item].count * items[item].bytes; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bytes(a) > bytes(b); });
  std::vector<std::uint64_t> held(static_cast<std::size_t>(shards), 0);
  std::vector<int> owners(items.size());
  for (const std::size_t item : order) {
    const auto least = std::min_element(held.begin(), held.end());
    *least += bytes(item);
    owners[item] = static_cast<int>(least - held.begin());
  }
  return owners;
}

std::vector<CutPiece> pieces_of(const CutBucket& bucket, const std::vector<BucketItem>& items,
                                int shard) {
  const Range& range = bucket.ranges[static_cast<std::size_t>(shard)];
  std::vector<CutPiece> pieces;
  for (std::size_t i = 0; i < bucket.items.size(); ++i) {
    const std::uint64_t first = bucket.offsets[i];
    const std::uint64_t begin = std::max(range.begin, first);
    const std::uint64_t end = std::min(range.end, first + items[bucket.items[i]].count);
    if (begin < end) pieces.push_back({bucket.items[i], begin - first, end - begin, begin});
  }
  return pieces;
}

std::vector<Portion> portions_of(const CutBucket& bucket, std::uint64_t most) {
  const std::uint64_t width = std::max(most / bucket.ranges.size(), kAlignment);
  std::uint64_t longest = 0;
  for (const Range& range : bucket.ranges) longest = std::max(longest, range.size());
  std::vector<Portion> portions;
  for (std::uint64_t begin = 0; begin < longest; begin += width) {
    Portion portion;
    std::uint64_t place = 0;
    for (const Range& range : bucket.ranges) {
      const Range numbers{std::min(range.begin + begin, range.end),
                          std::min(range.begin + begin + width, range.end)};
      portion.numbers.push_back(numbers);
      portion.places.push_back({place, place + numbers.size()});
      place += numbers.size();
    }
    portions.push_back(std::move(portion));
  }
  return portions;
}

}  // namespace knead::plan
