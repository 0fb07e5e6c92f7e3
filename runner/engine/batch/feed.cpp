#include "runner/engine/batch/feed.h"

#include <algorithm>
#include <set>

#include <ATen/ops/empty.h>

#include "runner/engine/device/device.h"

namespace knead::engine {
namespace {

/// Returns the fields that are read, each once, in ascending order.
std::vector<std::size_t> used(const FeedFields& fields) {
  std::set<std::size_t> all(fields.seen.begin(), fields.seen.end());
  for (const auto& input : fields.inputs) {
    if (input) all.insert(*input);
  }
  return {all.begin(), all.end()};
}

}  // namespace

at::ScalarType scalar_type_of(data::Dtype dtype) {
  switch (dtype) {
    case data::Dtype::boolean: return at::kBool;
    case data::Dtype::uint8: return at::kByte;
    case data::Dtype::int8: return at::kChar;
    case data::Dtype::int16: return at::kShort;
    case data::Dtype::int32: return at::kInt;
    case data::Dtype::int64: return at::kLong;
    case data::Dtype::float16: return at::kHalf;
    case data::Dtype::bfloat16: return at::kBFloat16;
    case data::Dtype::float32: return at::kFloat;
    case data::Dtype::float64: return at::kDouble;
  }
  return at::kFloat;
}

Feed::Feed(const data::Set& set, FeedFields fields, const plan::Windows& windows,
           const plan::EpochOrder& order, std::uint64_t first, std::uint64_t end,
           data::Reading reading)
    : fields_(std::move(fields)),
      // The first window is the largest.
      capacity_(static_cast<std::int64_t>(reading.share.of(windows.at(0)).size)),
      end_(end) {
  const auto memory = [&](std::size_t slot, std::size_t field) {
    return make_memory(slot, set, field);
  };
  batches_ = std::make_unique<data::Batches>(set, used(fields_), windows, order, first, end,
                                             reading, memory);
  if (!device().is_cpu()) copies_ = std::make_unique<CopyAhead>();
}

const data::Batch& Feed::next() {
  if (!copies_) return *(batch_ = &batches_->next());
  if (!is_sent_) send();  // the first step, or send_next() was not called
  is_sent_ = false;
  if (failure_) std::rethrow_exception(failure_);
  there_ = &copies_->take();
  return *batch_;
}

void Feed::send_next() {
  if (copies_ && batch_->step + 1 < end_) send();
}

void Feed::send() {
  is_sent_ = true;
  copies_->wait_until_read();  // batches_->next() frees the memory that the last copy reads
  try {
    batch_ = &batches_->next();
  } catch (...) {
    failure_ = std::current_exception();  // for next(): the current step is not concerned
    return;
  }
  copies_->begin(memory_[batch_->slot]);
}

std::byte* Feed::make_memory(std::size_t slot, const data::Set& set, std::size_t field) {
  if (memory_.size() <= slot)
    memory_.resize(slot + 1, std::vector<at::Tensor>(set.fields().size()));
  const data::Field& described = set.fields()[field];
  std::vector<std::int64_t> shape = described.shape;
  shape.insert(shape.begin(), capacity_);
  at::Tensor& tensor = memory_[slot][field];
  // Only a copy from pinned memory does not block the host.
  tensor = at::empty(
      shape, at::TensorOptions(scalar_type_of(described.dtype)).pinned_memory(device().is_cuda()));
  return static_cast<std::byte*>(tensor.data_ptr());
}

MicroBatch Feed::part(std::uint64_t begin, std::uint64_t size) const {
  const auto& here = memory_[batch_->slot];
  const auto& there = copies_ ? *there_ : here;
  const bool is_whole = begin == 0 && static_cast<std::int64_t>(size) == capacity_;
  const auto cut = [&](const at::Tensor& whole) {
    if (is_whole) return whole;
    return whole.narrow(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(size));
  };
  MicroBatch part;
  part.inputs.reserve(fields_.inputs.size());
  for (std::size_t i = 0; i < fields_.inputs.size(); ++i) {
    const auto& field = fields_.inputs[i];
    part.inputs.push_back(field ? c10::IValue(cut(there[*field])) : fields_.fallbacks[i]);
  }
  part.samples.count = static_cast<std::int64_t>(size);
  part.samples.names = &fields_.seen_names;
  for (const std::size_t field : fields_.seen) {
    part.samples.tensors.push_back(cut(here[field]));
    if (copies_) part.samples.copies.push_back(cut(there[field]));
  }
  return part;
}

}  // namespace knead::engine
