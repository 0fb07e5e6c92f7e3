#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace knead::plan {

/// Describes a tensor that is put into a bucket.
struct BucketItem {
  std::uint64_t count = 0;  // numbers
  std::uint64_t bytes = 0;  // of a number
  /// Tells dtypes apart: a bucket holds items of one kind.
  int kind = 0;
};

/// Puts items into buckets, in their order. Closes a bucket when it holds `most` bytes or more.
/// Returns the indices of the items by bucket; buckets are in the order in which they are begun.
std::vector<std::vector<std::size_t>> fill_buckets(const std::vector<BucketItem>& items,
                                                   std::uint64_t most);

/// Holds the numbers [begin, end) of a bucket.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

/// Lays tensors out one behind the other, and cuts them into a range for each shard. Tensors and
/// ranges begin at multiples of 16 numbers.
struct CutBucket {
  std::vector<std::size_t> items;      // indices, in the order of the layout
  std::vector<std::uint64_t> offsets;  // where each of them begins
  std::uint64_t length = 0;            // numbers, with what is padded at the end
  std::vector<Range> ranges;           // by shard; they follow one another
};

/// Holds a part of a tensor that lies within the range of one shard.
struct CutPiece {
  std::size_t item = 0;
  std::uint64_t begin = 0;   // the first number of the tensor
  std::uint64_t count = 0;   // numbers, at least 1
  std::uint64_t offset = 0;  // where the piece begins in the bucket
};

/// Cuts a bucket into ranges of equal size, and so some tensors in two.
CutBucket cut_evenly(const std::vector<BucketItem>& items, std::vector<std::size_t> bucket,
                     int shards);

/// Cuts a bucket between tensors: `owners` holds the shard of each item. The layout has the tensors
/// of one shard behind those of the shards before it.
CutBucket cut_between(const std::vector<BucketItem>& items, std::vector<std::size_t> bucket,
                      const std::vector<int>& owners, int shards);

/// Returns a shard for each item, so that the bytes of the shards differ little: the largest items
/// come first, each to the shard that has the least.
std::vector<int> balanced_owners(const std::vector<BucketItem>& items, int shards);

/// Returns the pieces in the range of a shard, in the order of the layout.
std::vector<CutPiece> pieces_of(const CutBucket& bucket, const std::vector<BucketItem>& items,
                                int shard);

/// Holds what is sent at once of a bucket: a part of the range of each shard.
struct Portion {
  std::vector<Range> numbers;  // by shard: of the bucket
  std::vector<Range> places;   // by shard: where they lie in a tensor that is sent; all touch
};

/// Bounds the portions of parameters that ranks which share memory let each other read at once.
constexpr std::size_t kPortionsToRead = 4;

/// Divides a bucket into portions of at most about `most` numbers, at least one for each shard.
std::vector<Portion> portions_of(const CutBucket& bucket, std::uint64_t most);

}  // namespace knead::plan
