#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "recipe.h"
#include "runner/engine/profile/recording.h"
#include "runner/engine/tensor/tensor_memory.h"
#include "runner/files/file_system.h"
#include "runner/trace/watch.h"
#include "runner/track/console.h"

namespace knead::engine {

/// The profile that a recipe asks for: its steps are recorded, and at the end of the last of them
/// written to <run>/profile/ and shown as a table. Where it asks for none, nothing here does
/// anything. What is missing of a profile never ends a run.
class Profile {
 public:
  /// All outlive this. `memory`: from before the job was made; see memory_of_profile().
  Profile(const recipe::Recipe& recipe, const TensorMemory* memory, files::FileSystem& disk,
          const std::filesystem::path& run_folder, track::Console& console);

  /// Step `number`, counted from 1, begins; the one before it has ended.
  void begin_step(std::uint64_t number);

  /// The last step of this start of the run has ended: what was recorded is written.
  void end_run();

 private:
  void make_ready();
  void finish();

  const recipe::Recipe& recipe_;
  const TensorMemory* memory_;
  files::FileSystem& disk_;
  std::filesystem::path folder_;
  track::Console& console_;
  std::unique_ptr<Kernels> kernels_;      // where there is a GPU, from a step before the first
  std::unique_ptr<Recording> recording_;  // while steps are recorded
  std::uint64_t first_ = 0, last_ = 0;    // of these
  std::optional<trace::Span> step_;       // the last
  bool any_step_ = false;                 // was made
  bool is_done_ = false;
};

/// What counts the memory of a job from before it is made, where the recipe's profile asks for it;
/// else null.
std::unique_ptr<TensorMemory> memory_of_profile(const recipe::Recipe& recipe);

}  // namespace knead::engine
