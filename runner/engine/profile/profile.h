#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/engine/parallel/group.h"
#include "runner/engine/profile/recording.h"
#include "runner/engine/tensor/tensor_memory.h"
#include "runner/files/file_system.h"
#include "runner/trace/watch.h"
#include "runner/track/console.h"
#include "runner/track/trace_file.h"

namespace knead::engine {

/// Records the steps that the recipe's `profile` block names, on each rank of a run. After the last
/// of them rank 0 writes a Chrome trace of all ranks to <run>/profile/steps-A-B.json and prints a
/// table of its own steps. Without the block all functions do nothing. A profile that cannot be
/// written does not end the run: it becomes a warning. The training loop calls begin_step() before
/// each step and end_run() once, on one thread; all ranks call them at the same steps.
class Profile {
 public:
  /// Borrows all arguments. `memory` comes from memory_of_profile() and exists before the job is
  /// made, so that it counts the job's tensors; null if the profile has no memory.
  Profile(const recipe::Recipe& recipe, const TensorMemory* memory, files::FileSystem& disk,
          const std::filesystem::path& run_folder, track::Console& console, parallel::Group& group);

  /// Marks the beginning of step `number`, counted from 1, and the end of the step before it.
  /// Writes the profile if the step before was the last wanted one, or if the trace is as long as
  /// viewers can show.
  void begin_step(std::uint64_t number);

  /// Marks the end of the last step of this process, and writes what was recorded. Prints a note if
  /// this process trained none of the wanted steps.
  void end_run();

 private:
  /// Prepares the recording of GPU kernels, once.
  void make_ready();
  /// Returns whether the recording of any rank is as long as viewers can show.
  bool is_full();
  /// Ends the recording, prints the table and writes the trace.
  void finish();
  /// Sets `rank` to what the trace needs of this rank, and returns the events of the others on
  /// rank 0.
  std::vector<std::string> gather_events(const trace::Recorded& recorded, track::TracedRank& rank);

  const recipe::Recipe& recipe_;
  const TensorMemory* memory_;
  files::FileSystem& disk_;
  std::filesystem::path folder_;
  track::Console& console_;
  parallel::Group& group_;
  std::unique_ptr<Kernels> kernels_;      // on a GPU, prepared one step before the first
  std::unique_ptr<Recording> recording_;  // not null while steps are recorded
  std::uint64_t first_ = 0, last_ = 0;    // the recorded steps
  std::optional<trace::Span> step_;       // of the current step
  bool any_step_ = false;                 // a step has begun
  bool is_done_ = false;                  // the profile is written
};

/// Returns a counter of tensor memory for this thread, to be created before the job, if the
/// recipe's profile includes memory; null otherwise. It must outlive the Profile that borrows it.
std::unique_ptr<TensorMemory> memory_of_profile(const recipe::Recipe& recipe);

}  // namespace knead::engine
