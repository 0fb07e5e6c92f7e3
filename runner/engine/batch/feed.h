#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include "runner/data/sets/batches.h"
#include "runner/engine/batch/samples.h"
#include "runner/engine/device/copy_ahead.h"

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

  /// Goes on to the next step; what was given before is overwritten. Throws what reading it threw.
  const data::Batch& next();

  /// The next step's batch travels to the device while that is busy with this step, for which it
  /// has been asked all. What next() gave last is not used any more.
  void send_next();

  /// Samples [begin, begin + size) of the step. No longer than this lives.
  MicroBatch part(std::uint64_t begin, std::uint64_t size) const;

  /// Seconds that next() has waited for data.
  double waited() const { return batches_->waited(); }

 private:
  std::byte* make_memory(std::size_t slot, const data::Set& set, std::size_t field);

  void send();

  FeedFields fields_;
  std::int64_t capacity_;
  std::uint64_t end_;                            // behind the last step
  std::vector<std::vector<at::Tensor>> memory_;  // by slot and field of the set
  std::unique_ptr<data::Batches> batches_;
  const data::Batch* batch_ = nullptr;
  std::unique_ptr<CopyAhead> copies_;               // none where the device is the CPU
  const std::vector<at::Tensor>* there_ = nullptr;  // by field of the set, on the device
  bool is_sent_ = false;                            // the next batch
  std::exception_ptr failure_;                      // of reading it
};

}  // namespace knead::engine
