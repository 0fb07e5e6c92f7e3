#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "runner/engine/batch/feed.h"
#include "runner/engine/job/job.h"
#include "runner/engine/optimize/clip.h"
#include "runner/engine/parallel/reduction.h"
#include "runner/engine/parallel/shards.h"
#include "runner/engine/step/pass.h"
#include "runner/engine/step/pending_update.h"
#include "runner/run/progress.h"
#include "runner/track/journal.h"

namespace knead::engine {

/// Holds what the ranks of a run tell each other in each update, besides its gradients.
struct Word {
  /// Counts seconds by the clock of rank 0; 0 on the other ranks.
  double seconds = 0;
  /// Tells whether this rank is asked to stop; of the ranks together, whether any is.
  bool is_asked_to_stop = false;
  /// Tells whether this rank has written its files of a checkpoint; of the ranks together, whether
  /// all have.
  bool is_part_written = false;
};

/// Configures Updates.
struct UpdateOptions {
  /// Holds the step count after which the run ends; no batch behind it is read.
  std::uint64_t end;
  /// Receives sentences for the user, about parameters without a gradient.
  track::Warn warn;
  /// Called before an update ends the run, when all state is that of the last good step. The step
  /// count may be 0; there is nothing to save then.
  std::function<void()> save = [] {};
  /// Returns what this rank says. Called once in each update of several ranks, before it waits for
  /// the others.
  std::function<Word()> word = [] { return Word{}; };
  /// Makes the ranks meet when their gradients are complete, so that a trace tells waiting for a
  /// slower rank from what is left of the sums then.
  bool meets = false;
  /// Sees each part of an update; may be null. Borrowed.
  UpdateWatcher* watcher = nullptr;
  /// The most micro-batches of an update, for a rehearsal; a run takes all of the batch.
  std::uint64_t most_micro_batches = std::numeric_limits<std::uint64_t>::max();
};

/// Makes the updates of a job one after another, for runs, benchmarks and rehearsals. The design's
/// page training.md defines an update. Not thread-safe.
///
/// With several ranks each makes the passes of its share of the batch. Gradients, losses and
/// weights are then summed over ranks, so that each rank judges and applies the same update.
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
  /// Continues from `progress`, which it advances with each update; `progress.step` is the first
  /// step that it reads. The job, the progress and the watcher must outlive this object. Starts the
  /// readers of the training set.
  Updates(Job& job, run::Progress& progress, UpdateOptions options);

  /// Makes the next update with `factor` times the learning rates. Settles the update before it,
  /// and throws what settle() throws; also throws knead::Error if the data cannot be read or the
  /// model fails on the batch. The model must be in train mode. Counts the step and its samples on
  /// return; on a GPU the weights may still be computed.
  void make(double factor);

  /// Waits for the last update, judges it and counts it: the loss, the loss scale and skipped
  /// updates of the progress, and the averaged weights, are current only after it. Call it before a
  /// report, a save or an evaluation. Returns false if the update was skipped because its loss or
  /// gradient norm is not finite; true if it was applied, or if none is pending. Throws
  /// knead::Error if that ends the run, or if no target counted for a whole epoch.
  bool settle();

  /// Returns the gradient norm of the last settled update, before clipping; 0 before the first. The
  /// gradients are those of the mean loss. NaN or infinite for an update that was skipped for it.
  double gradient_norm() const { return norm_; }

  /// Returns the seconds spent waiting for data so far.
  double waited() const { return feed_.waited(); }

  /// Returns what the ranks have said in the last update: the clock of rank 0, and whether any of
  /// them is asked to stop. Empty for a single rank.
  const Word& agreed() const { return agreed_; }

  /// Returns the gradients that several ranks add up; null for a single rank.
  parallel::Reduction* gradients() { return gradients_.get(); }

 private:
  const data::Batch& next_batch();
  PendingUpdate before(const data::Batch& batch);
  void passes(const data::Batch& batch, PendingUpdate& update);
  void pass(std::uint64_t number, std::uint64_t size, PendingUpdate& update);
  /// Counts passes: those in which any rank has a micro-batch, and those in which each has one.
  struct Rounds {
    std::uint64_t all, every_rank;
  };
  Rounds rounds_of_ranks(std::uint64_t own) const;
  losses::Part forward(MicroBatch part);
  double sum_scale(std::uint64_t count, double weight) const;
  void backward(const at::Tensor& sum, double scale, bool is_last);
  void reduce(PendingUpdate& update);
  void meet();
  void read_losses(PendingUpdate& update) const;
  void warn_of_untouched(const PendingUpdate& update);
  void apply(double factor, PendingUpdate& update);
  void gather_parameters();
  void apply_unread(double factor, double scale, PendingUpdate& update);
  bool judge(PendingUpdate& update);
  void leave_out(const PendingUpdate& update);
  void count(const PendingUpdate& update);
  void count_without_targets(const PendingUpdate& update);

  void done(UpdatePart part, const PendingUpdate& update) const;
  double gradient_scale(const PendingUpdate& update) const;
  bool can_stay_unread() const;
  bool is_whole(const PendingUpdate& update) const;

  const recipe::Recipe& recipe_;
  const data::Set& set_;
  const Course& course_;
  Trained& trained_;
  run::Progress& progress_;
  UpdateOptions options_;
  Feed feed_;
  Pass pass_;
  optimize::Clip clip_;
  parallel::Shards* shards_;     // null if this rank updates all parameters
  const NamedTensors& updated_;  // parameters or pieces that this rank updates
  std::int64_t numbers_;         // elements of what this rank updates
  std::uint64_t micro_;          // samples of a micro-batch
  plan::EpochOrder order_;
  parallel::Group& group_;
  std::unique_ptr<parallel::Reduction> gradients_;  // null for a single rank
  bool is_broadcast_ = false;                       // buffers are those of rank 0
  bool is_overlapped_ = false;                      // buckets of gradients are sent during backward
  std::optional<PendingUpdate> pending_;
  std::uint64_t without_targets_ = 0;  // consecutive updates in which no target counts
  Word agreed_;
  double norm_ = 0;
};

}  // namespace knead::engine
