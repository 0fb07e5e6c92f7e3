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

/// Makes the updates of a job, one after another, for a run and for a benchmark alike. training.md
/// of the design says what an update means. One thread.
///
/// A device with memory of its own still computes an update when the next one begins. So make()
/// asks for an update, and settle() judges and counts it, one update later or when somebody needs
/// to know. The numbers are those of judging at once. An update that is left out moves this:
///
///   state                       moved by    put back
///   gradients                   passes      cleared after each update
///   buffers and attributes      forward     by settle(), from the backup
///   random numbers              forward     where the update is repeated, or ends the run
///   weights, optimizer          apply       never moved: apply looks at the norm first
///   step, samples               make()      where it ends the run
///   loss scale, loss, skipped   settle()    never: they say that it was left out
class Updates {
 public:
  /// Continues from where `progress` says; `end` is the step after the last one. Calls `save`
  /// before an update ends the run, when everything is as the last good one left it; gives `warn`
  /// sentences for the person who runs this. The arguments outlive this.
  Updates(Job& job, Progress& progress, std::uint64_t end, std::function<void()> save,
          track::Warn warn);

  /// Makes the next update with `factor` times the learning rates. Throws as settle().
  void make(double factor);

  /// Waits until the last update is counted. Returns whether it was made; false means that it was
  /// left out because a number was not finite. Throws knead::Error where that ends the run.
  bool settle();

  /// The norm of the gradients of the last settled update, before clipping.
  double gradient_norm() const { return norm_; }

  /// Seconds waited for data.
  double waited() const { return feed_.waited(); }

 private:
  /// An update that is asked for and not yet judged.
  struct Pending {
    GeneratorState generator;  // before it
    model::Backup model;       // buffers and attributes before it
    std::vector<std::uint64_t> samples;
    std::vector<at::Tensor> losses{};  // sums, one for each micro-batch
    double sum_scale = 1;              // plan::sum_scale()
    double weight = 0;                 // Σ over micro-batches
    double loss = 0;                   // Σ over micro-batches
    double norm = 0;
    std::optional<Readback> unread{};  // the losses and the norm, where a device computes them
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
  std::int64_t numbers_;  // in all parameters
  std::optional<Pending> pending_;
  std::uint64_t without_targets_ = 0;  // updates in a row of which every target is ignored
  double norm_ = 0;
};

}  // namespace knead::engine
