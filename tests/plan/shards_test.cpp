#include "runner/plan/shards.h"

#include <algorithm>

#include <catch2/catch.hpp>

namespace knead::plan {
namespace {

/// Returns items of one kind, of 4 bytes a number.
std::vector<BucketItem> items_of(const std::vector<std::uint64_t>& counts) {
  std::vector<BucketItem> items;
  for (const std::uint64_t count : counts) items.push_back({count, 4, 0});
  return items;
}

std::vector<std::size_t> all_of(const std::vector<BucketItem>& items) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < items.size(); ++i) all.push_back(i);
  return all;
}

/// Checks that the pieces of all shards hold each number of each item once.
void check_whole(const CutBucket& bucket, const std::vector<BucketItem>& items, int shards) {
  std::vector<std::vector<int>> seen;
  for (const BucketItem& item : items) seen.emplace_back(item.count, 0);
  std::uint64_t end = 0;
  for (int shard = 0; shard < shards; ++shard) {
    const Range& range = bucket.ranges.at(static_cast<std::size_t>(shard));
    CHECK(range.begin == end);
    end = range.end;
    for (const CutPiece& piece : pieces_of(bucket, items, shard)) {
      CHECK(piece.offset >= range.begin);
      CHECK(piece.offset + piece.count <= range.end);
      for (std::uint64_t i = 0; i < piece.count; ++i) ++seen[piece.item][piece.begin + i];
    }
  }
  CHECK(end == bucket.length);
  for (const auto& item : seen) CHECK(item == std::vector<int>(item.size(), 1));
}

TEST_CASE("A bucket is closed when it is full", "[shards]") {
  const std::vector<BucketItem> items{{10, 4, 0}, {5, 8, 1}, {10, 4, 0}, {1, 4, 0}, {5, 8, 1}};
  using Buckets = std::vector<std::vector<std::size_t>>;
  CHECK(fill_buckets(items, 80) == Buckets{{0, 2}, {1, 4}, {3}});
  CHECK(fill_buckets(items, 1) == Buckets{{0}, {1}, {2}, {3}, {4}});
  CHECK(fill_buckets(items, 1000) == Buckets{{0, 2, 3}, {1, 4}});
  CHECK(fill_buckets({}, 10).empty());
}

TEST_CASE("Shards of a bucket hold each number once", "[shards]") {
  const auto items = items_of({100, 1, 7, 64, 3, 1000});
  for (int shards = 1; shards <= 7; ++shards) {
    const CutBucket even = cut_evenly(items, all_of(items), shards);
    check_whole(even, items, shards);
    for (const Range& range : even.ranges) {
      CHECK(range.size() == even.ranges.front().size());
      CHECK(range.begin % 16 == 0);
    }
    const auto owners = balanced_owners(items, shards);
    const CutBucket between = cut_between(items, all_of(items), owners, shards);
    check_whole(between, items, shards);
    CHECK(between.length == 112 + 16 + 16 + 64 + 16 + 1008);
    for (const std::uint64_t offset : even.offsets) CHECK(offset % 16 == 0);
    for (int shard = 0; shard < shards; ++shard)
      for (const CutPiece& piece : pieces_of(between, items, shard)) {
        CHECK(piece.begin == 0);
        CHECK(piece.count == items[piece.item].count);
        CHECK(owners[piece.item] == shard);
      }
  }
}

/// Checks that portions hold each number of a bucket once, in order for each shard.
void check_portions(const CutBucket& bucket, std::uint64_t most) {
  std::vector<std::uint64_t> ends;
  for (const Range& range : bucket.ranges) ends.push_back(range.begin);
  for (const Portion& portion : portions_of(bucket, most)) {
    std::uint64_t place = 0;
    for (std::size_t shard = 0; shard < ends.size(); ++shard) {
      CHECK(portion.numbers[shard].begin == ends[shard]);
      CHECK(portion.places[shard] == Range{place, place + portion.numbers[shard].size()});
      ends[shard] = portion.numbers[shard].end;
      place = portion.places[shard].end;
    }
    CHECK(place <= std::max<std::uint64_t>(most, 16 * ends.size()));
  }
  for (std::size_t shard = 0; shard < ends.size(); ++shard)
    CHECK(ends[shard] == bucket.ranges[shard].end);
}

TEST_CASE("Portions hold each number of a bucket once", "[shards]") {
  const auto items = items_of({100, 1, 7, 64, 3, 1000});
  for (int shards = 1; shards <= 4; ++shards) {
    for (const std::uint64_t most : {1, 64, 100, 5000}) {
      check_portions(cut_evenly(items, all_of(items), shards), most);
      check_portions(cut_between(items, all_of(items), balanced_owners(items, shards), shards),
                     most);
    }
  }
  CHECK(portions_of(cut_evenly(items, all_of(items), 2), 5000).size() == 1);
}

TEST_CASE("Owners have about as many bytes", "[shards]") {
  CHECK(balanced_owners(items_of({1, 9, 4, 5}), 2) == std::vector<int>{0, 0, 1, 1});
  CHECK(balanced_owners(items_of({3, 3, 3}), 2) == std::vector<int>{0, 1, 0});
  CHECK(balanced_owners({{2, 8, 1}, {3, 4, 0}, {1, 4, 0}}, 2) == std::vector<int>{0, 1, 1});
}

}  // namespace
}  // namespace knead::plan
