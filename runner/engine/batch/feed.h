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

/// Returns LibTorch's dtype for that of a field.
at::ScalarType scalar_type_of(data::Dtype dtype);

/// Selects the fields that a model, its loss and its metrics take. A field is an index into the
/// fields of the set, data::Set::fields(). `inputs` and `fallbacks` have one item for each
/// parameter of forward.
struct FeedFields {
  /// Holds the field of each parameter of forward; std::nullopt for one that keeps its default.
  std::vector<std::optional<std::size_t>> inputs;
  /// Holds the default of each parameter of forward; None for one without a default.
  std::vector<c10::IValue> fallbacks;
  /// Lists the fields that the loss and the metrics take, each once, in ascending order.
  std::vector<std::size_t> seen;
  /// Holds the names of the fields in `seen`, in the same order.
  std::vector<std::string> seen_names;
};

/// Holds some samples of a batch: the model's inputs on the device, and the fields that the loss
/// and the metrics take.
struct MicroBatch {
  /// Holds a value for each parameter of forward: a tensor (samples, shape of the field…) on the
  /// device, or a default.
  std::vector<c10::IValue> inputs;
  /// Holds the same samples for the loss and the metrics.
  Samples samples;
};

/// Reads the batches of a set, step by step, into tensors that it reuses, and copies them to the
/// device. The content of a batch depends only on the set, the windows, the order and the share of
/// `reading`, not on the rest of it. Used by one thread; the reader threads are its own.
///
/// For each step the caller calls next(), then part() for each micro-batch, and, when all work of
/// the step is queued, send_next() if it wants the copy of the next batch to overlap with that
/// work. On the CPU the tensors of a part lie in the readers' memory; nothing is copied.
class Feed {
 public:
  /// Prepares to read steps [first, end) of a set, which must outlive this object, and starts the
  /// reader threads, if `reading` has any. Allocates memory for all batches that are read ahead,
  /// each as large as the first window; on a GPU it is pinned.
  Feed(const data::Set& set, FeedFields fields, const plan::Windows& windows,
       const plan::EpochOrder& order, std::uint64_t first, std::uint64_t end,
       data::Reading reading);

  /// Moves to the next step and returns its batch, which is valid until the following next() or
  /// send_next(). The tensors of the previous step may be overwritten from now on. Blocks until the
  /// batch is read. Rethrows the exception that reading the batch threw. Must not be called after
  /// the last step.
  const data::Batch& next();

  /// Starts copying the next step's batch to the device while it computes. Must be called after
  /// next() and after all work of the current step is queued: the host tensors of the current step
  /// may be overwritten from now on, its device tensors stay. part() must not be called again
  /// before next(). Keeps an exception of the reader for next(), because the current step is not
  /// concerned. Does nothing on the CPU and after the last step.
  void send_next();

  /// Returns samples [begin, begin + size) of the current step as views of the reused tensors,
  /// without a copy. The range must lie within the step. Valid while this object lives and the step
  /// lasts. next() must have been called.
  MicroBatch part(std::uint64_t begin, std::uint64_t size) const;

  /// Returns the seconds that next() and send_next() have waited for data.
  double waited() const { return batches_->waited(); }

 private:
  /// Allocates a tensor for the largest batch of a field and returns its memory.
  std::byte* make_memory(std::size_t slot, const data::Set& set, std::size_t field);

  /// Waits for the next batch and starts copying it to the device. Stores the exception of the
  /// reader in failure_.
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
