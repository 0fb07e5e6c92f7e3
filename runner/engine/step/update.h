#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/batch/feed.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/device/readback.h"
#include "runner/engine/job/job.h"
#include "runner/engine/optimize/clip.h"
#include "runner/engine/step/pass.h"
#include "runner/run/progress.h"
#include "runner/track/journal.h"

namespace knead::engine {

/// Makes the updates of a job one after another, for runs and benchmarks. The design's page
/// training.md defines an update. Not thread-safe.
///
/// A GPU still computes an update when the host begins the next one. Therefore make() queues an
/// update, and settle() judges and counts it one update later, or earlier if its result is needed.
/// The numbers equal those of judging each update at once. The table lists the state that an update
/// changes, and what restores it if the update is skipped:
///
///   state                       changed by  restored
///   gradients                   passes      cleared after each update
///   buffers and attributes      forward     by settle(), from the backup
///   random numbers              forward     if the update is repeated, or ends the run
///   weights, optimizer          apply       unchanged: apply tests the norm first
///   step, samples               make()      if the update ends the run
///   loss scale, loss, skipped   settle()    never: they record that it was skipped
class Updates {
 public:
  /// Continues from `progress`; `end` is one past the last step of the run. Calls `save` before an
  /// update ends the run, when all state is that of the last good step. Passes sentences for the
  /// user to `warn`. The job and the progress must outlive this object.
  Updates(Job& job, Progress& progress, std::uint64_t end, std::function<void()> save,
          track::Warn warn);

  /// Makes the next update with `factor` times the learning rates. Settles the update before it,
  /// and throws what settle() throws.
  void make(double factor);

  /// Waits for the last update, judges it and counts it. Returns false if it was skipped because
  /// its loss or gradient norm is not finite; true if it was applied, or if none is pending. Throws
  /// knead::Error if that ends the run, or if no target counted for a whole epoch.
  bool settle();

  /// Returns the gradient norm of the last settled update, before clipping.
  double gradient_norm() const { return norm_; }

  /// Returns the seconds spent waiting for data so far.
  double waited() const { return feed_.waited(); }

 private:
  /// An update that was made and is not judged yet.
  struct Pending {
    GeneratorState generator;            // before the update
    model::Backup model;                 // buffers and attributes before the update
    std::vector<std::uint64_t> samples;  // indices into the training set
    std::vector<at::Tensor> losses{};    // sums, one per micro-batch
    double sum_scale = 1;                // plan::sum_scale()
    double weight = 0;                   // Σ over micro-batches
    double loss = 0;                     // Σ over micro-batches
    double norm = 0;                     // of the gradients, before clipping
    std::optional<Readback> unread{};    // losses and norm that a GPU still computes
  };

  const data::Batch& next_batch();
  Pending before(const data::Batch& batch);
  void passes(const data::Batch& batch, Pending& update);
  losses::Part forward(MicroBatch part);
  void backward(const at::Tensor& sum, double scale);
  void warn_of_untouched(const Pending& update);
  void apply(double factor, Pending& update);
  void apply_unread(double factor, double scale, Pending& update);
  bool judge(Pending& update);
  void leave_out(const Pending& update);
  void count(const Pending& update);
  void count_without_targets(const Pending& update);

  double gradient_scale(const Pending& update) const;
  bool can_stay_unread() const;

  Job& job_;
  Progress& progress_;
  std::function<void()> save_;
  track::Warn warn_;
  Feed feed_;
  Pass pass_;
  optimize::Clip clip_;
  std::int64_t numbers_;  // elements of all parameters
  std::optional<Pending> pending_;
  std::uint64_t without_targets_ = 0;  // consecutive updates in which no target counts
  double norm_ = 0;
};

}  // namespace knead::engine
