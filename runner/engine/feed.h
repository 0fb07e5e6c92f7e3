#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include "runner/data/batches.h"
#include "runner/engine/samples.h"

namespace knead::engine {

/// What goes into a model, its loss and its metrics, from the fields of a set.
struct FeedFields {
  std::vector<std::optional<std::size_t>> inputs;  // by parameter of forward; nothing: its default
  std::vector<c10::IValue> fallbacks;              // the defaults, by parameter of forward
  std::vector<std::size_t> seen;                   // by the loss and the metrics
  std::vector<std::string> seen_names;             // of these
};

/// Some samples of a batch as a model takes them: its inputs on the device.
struct MicroBatch {
  std::vector<c10::IValue> inputs;  // tensors (samples, shape of the field…)
  Samples samples;                  // what the loss and the metrics see
};

/// The batches of a set as tensors that are used over and over. One thread.
class Feed {
 public:
  /// Steps [first, end) of a set, which must outlive this.
  Feed(const data::Set& set, FeedFields fields, const plan::Windows& windows,
       const plan::EpochOrder& order, std::uint64_t first, std::uint64_t end,
       data::Reading reading);

  /// Goes on to the next step; what was given before is overwritten.
  const data::Batch& next() { return *(batch_ = &batches_->next()); }

  /// Samples [begin, begin + size) of the step. No longer than this lives.
  MicroBatch part(std::uint64_t begin, std::uint64_t size) const;

  /// Seconds that next() has waited for data.
  double waited() const { return batches_->waited(); }

 private:
  std::byte* make_memory(std::size_t slot, const data::Set& set, std::size_t field);

  FeedFields fields_;
  std::int64_t capacity_;
  std::vector<std::vector<at::Tensor>> memory_;  // by slot and field of the set
  std::unique_ptr<data::Batches> batches_;
  const data::Batch* batch_ = nullptr;
};

}  // namespace knead::engine
