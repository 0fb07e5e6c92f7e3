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

/// Selects the fields that a model, its loss and its metrics take. A field is an index into the
/// fields of the set.
struct FeedFields {
  std::vector<std::optional<std::size_t>> inputs;  // by parameter of forward; none: its default
  std::vector<c10::IValue> fallbacks;              // the defaults, by parameter of forward
  std::vector<std::size_t> seen;                   // by the loss and the metrics
  std::vector<std::string> seen_names;             // in the order of `seen`
};

/// Holds some samples of a batch: the model's inputs on the device, and the fields that the loss
/// and the metrics take.
struct MicroBatch {
  std::vector<c10::IValue> inputs;  // tensors (samples, shape of the field…), or defaults
  Samples samples;                  // for the loss and the metrics
};

/// Reads the batches of a set, step by step, into tensors that it reuses, and copies them to the
/// device. One thread.
class Feed {
 public:
  /// Prepares to read steps [first, end) of a set, which must outlive this object.
  Feed(const data::Set& set, FeedFields fields, const plan::Windows& windows,
       const plan::EpochOrder& order, std::uint64_t first, std::uint64_t end,
       data::Reading reading);

  /// Moves to the next step and returns its batch; the tensors of the previous step are
  /// overwritten. Rethrows the exception that reading the batch threw.
  const data::Batch& next();

  /// Starts copying the next step's batch to the device while it computes. Must be called after all
  /// work of the current step is queued; part() must not be called again before next(). Does
  /// nothing on the CPU and after the last step.
  void send_next();

  /// Returns samples [begin, begin + size) of the current step as views of the reused tensors.
  /// Valid while this object lives and the step lasts.
  MicroBatch part(std::uint64_t begin, std::uint64_t size) const;

  /// Returns the seconds that next() and send_next() have waited for data.
  double waited() const { return batches_->waited(); }

 private:
  /// Allocates a tensor for the largest batch of a field and returns its memory.
  std::byte* make_memory(std::size_t slot, const data::Set& set, std::size_t field);

  /// Waits for the next batch and starts copying it to the device.
  void send();

  FeedFields fields_;
  std::int64_t capacity_;                        // samples in the largest batch
  std::uint64_t end_;                            // the step after the last one
  std::vector<std::vector<at::Tensor>> memory_;  // by slot and field of the set, (capacity, shape…)
  std::unique_ptr<data::Batches> batches_;
  const data::Batch* batch_ = nullptr;
  std::unique_ptr<CopyAhead> copies_;               // null on the CPU
  const std::vector<at::Tensor>* there_ = nullptr;  // by field of the set, on the device
  bool is_sent_ = false;                            // whether send() has read the next batch
  std::exception_ptr failure_;                      // thrown while reading the next batch
};

}  // namespace knead::engine
