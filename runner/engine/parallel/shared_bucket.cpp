#include "runner/engine/parallel/shared_bucket.h"

#include <algorithm>

#include <ATen/ops/from_blob.h>

#include "runner/engine/parallel/add_up.h"

namespace knead::engine::parallel {
namespace {

/// The most bytes of a chunk: those of two ranks fit into the cache of a core.
constexpr std::size_t kChunk = 262144;
/// Chunks begin at cache lines.
constexpr std::size_t kLine = 64;

std::size_t round_up(std::size_t number, std::size_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

}  // namespace

std::size_t SharedBucket::size(std::size_t ranks, std::size_t bytes) {
  return ranks * (sizeof(Control) + round_up(bytes, kLine));
}

SharedBucket::SharedBucket(std::shared_ptr<std::byte> memory, std::size_t rank, std::size_t ranks,
                           std::size_t bytes, at::ScalarType type)
    : memory_(std::move(memory)),
      controls_(reinterpret_cast<Control*>(memory_.get())),
      rank_(rank),
      type_(type),
      bytes_(bytes),
      due_(ranks, 0) {
  // As many chunks for each rank, if there are several.
  const std::size_t chunks = round_up((bytes + kChunk - 1) / kChunk, ranks);
  chunk_ = round_up((bytes + chunks - 1) / chunks, kLine);
  for (std::size_t i = 0; i < ranks; ++i)
    tensors_.push_back(memory_.get() + ranks * sizeof(Control) + i * round_up(bytes, kLine));
}

/// Returns how many chunks a rank adds for a sum: those whose numbers modulo the ranks are its.
std::size_t SharedBucket::chunks_of_sum(std::size_t rank) const {
  const std::size_t chunks = (bytes_ + chunk_ - 1) / chunk_;
  return (chunks + tensors_.size() - 1 - rank) / tensors_.size();
}

std::size_t SharedBucket::chunks_of_range(const plan::Range& range) const {
  return (range.size() * element_size() + kChunk - 1) / kChunk;
}

void SharedBucket::begin(std::size_t chunks) {
  ++operation_;
  next_ = 0;
  chunks_ = chunks;
}

void SharedBucket::begin_sum() {
  target_.reset();
  for (std::size_t rank = 0; rank < due_.size(); ++rank) due_[rank] += chunks_of_sum(rank);
  begin(chunks_of_sum(rank_));
}

void SharedBucket::begin_sum_into(const at::Tensor& target, const std::vector<plan::Range>& cut) {
  const plan::Range& own = cut[rank_ % cut.size()];
  target_ = target;
  begin_ = own.begin * element_size();
  for (std::size_t rank = 0; rank < due_.size(); ++rank)
    due_[rank] += chunks_of_range(cut[rank % cut.size()]);
  begin(chunks_of_range(own));
}

void SharedBucket::begin_reading() {
  for (std::uint64_t& due : due_) ++due;
  begin(0);
}

void SharedBucket::set_filled() {
  controls_[rank_].filled.store(operation_, std::memory_order_release);
}

bool SharedBucket::is_filled() const {
  return std::all_of(controls_, controls_ + tensors_.size(), [this](const Control& control) {
    return control.filled.load(std::memory_order_acquire) >= operation_;
  });
}

bool SharedBucket::is_done() const {
  for (std::size_t rank = 0; rank < tensors_.size(); ++rank)
    if (controls_[rank].counted.load(std::memory_order_acquire) < due_[rank]) return false;
  return true;
}

void SharedBucket::run(std::size_t chunk) const {
  if (!target_.defined()) {
    const std::size_t begin = (rank_ + chunk * tensors_.size()) * chunk_;
    return add_up(type_, tensors_, begin, std::min(begin + chunk_, bytes_));
  }
  const auto numbers = static_cast<std::int64_t>(kChunk / element_size());
  const std::int64_t first = static_cast<std::int64_t>(chunk) * numbers;
  const std::int64_t count = std::min(numbers, target_.numel() - first);
  const std::size_t begin = begin_ + static_cast<std::size_t>(first) * element_size();
  const std::vector<const std::byte*> arrays(tensors_.begin(), tensors_.end());
  add_up_into(target_.narrow(0, first, count), type_, arrays, begin,
              begin + static_cast<std::size_t>(count) * element_size());
}

at::Tensor SharedBucket::part(std::size_t rank, const plan::Range& range) const {
  return at::from_blob(tensors_[rank] + range.begin * element_size(),
                       {static_cast<std::int64_t>(range.size())}, type_);
}

}  // namespace knead::engine::parallel
