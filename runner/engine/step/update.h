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
#include "runner/trace/watch.h"
#include "runner/track/journal.h"

namespace knead::engine {

/// The updates of a run, one after another; what one means is written in training.md of the design.
/// A device with memory of its own may still be at work on the last when the next begins: what it
/// came to is looked at, and counted, one update later, or when settle() asks. The numbers are
/// those of looking at once.
class Updates {
 public:
  /// From where `progress` says. `save`: called before an update ends the run, when everything is
  /// as the last good one left it. `warn`: takes sentences for the person who runs this. All
  /// arguments outlive this.
  Updates(Job& job, Progress& progress, std::function<void()> save, track::Warn warn);

  /// Makes the next, with `factor` times the learning rates. Throws as settle().
  void make(double factor);

  /// Until the last is counted. True where it was made, false where it was left out because it was
  /// not finite. Throws knead::Error where that ends the run.
  bool settle();

  /// Of the gradients of the last that is settled.
  double gradient_norm() const { return norm_; }

  /// Seconds waited for data.
  double waited() const { return feed_.waited(); }

 private:
  /// What forward changes besides gradients, from before it.
  struct Before {
    GeneratorState generator;
    model::Backup model;
  };

  /// One that is not settled yet.
  struct Update {
    Before before;
    std::vector<std::uint64_t> samples;
    double sum_scale = 1;  // plan::sum_scale()
    double weight = 0;     // Σ over micro-batches
    double loss = 0;       // likewise
    double norm = 0;
    std::optional<Readback>
        unread{};  // loss of each, and norm, where the device still computes them
  };

  const data::Batch& next_batch();
  std::vector<at::Tensor> pass_over(const data::Batch& batch, Update& update);
  losses::Part loss_of(MicroBatch part);
  void backward(const at::Tensor& sum, double scale);
  void step(double factor, const std::vector<at::Tensor>& losses, Update& update);
  void leave_out(const Update& update);
  void count_without_targets(const Update& update);
  bool can_stay_unread() const;
  double gradient_scale(const Update& update) const;  // of the sums that backward begins at

  Job& job_;
  Progress& progress_;
  std::function<void()> save_;
  track::Warn warn_;
  std::uint64_t without_targets_ = 0;  // updates in a row of which every target is ignored
  Feed feed_;
  Pass pass_;
  optimize::Clip clip_;
  std::int64_t numbers_;  // in all parameters
  std::optional<Update> last_;
  double norm_ = 0;
};

}  // namespace knead::engine
