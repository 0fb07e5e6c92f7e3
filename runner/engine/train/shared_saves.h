#pragma once

#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "runner/checkpoint/rank_writer.h"
#include "runner/engine/train/snapshot.h"
#include "runner/run/saver.h"

namespace knead::engine {

/// Saves checkpoints of a run whose ranks hold shards of the state, and each writes its own. A save
/// begins when all ranks have copied what they write; each writes in the background, and when all
/// have, rank 0 publishes the checkpoint: one commit for all. So at most one save is in progress,
/// and all ranks know whether one is. All ranks must call the same functions in the same order. One
/// thread.
class SharedSaves {
 public:
  /// `saver` is null on ranks other than 0. All arguments must outlive this object.
  SharedSaves(Job& job, run::Progress& progress, const track::Tracker& tracker, run::Saver* saver,
              files::FileSystem& disk, const std::filesystem::path& run_folder,
              const nlohmann::json& facts);

  /// Begins a save of the present step. Returns false, without a save, if an earlier one is still
  /// running.
  bool offer();

  /// Begins a save of the present step after an earlier one has ended, unless the step is saved.
  void save_next();

  /// Saves the present step, unless it is saved, and returns when it is durable and verified.
  /// Throws knead::Error (exit code 5) on rank 0 if the save fails.
  void save_now();

  /// Returns whether this rank has written all that is its own of the save in progress.
  bool is_part_written() const { return is_writing_ && writer_.is_done(); }

  /// Lets rank 0 publish the save in progress. Call it when all ranks have said that their part is
  /// written.
  void publish();

 private:
  void end_earlier();
  bool is_saved();
  bool begin();
  std::string open_folder(const std::vector<std::string>& offers);

  Trained& trained_;
  parallel::Shards& shards_;
  parallel::Group& group_;
  run::Progress& progress_;
  const track::Tracker& tracker_;
  run::Saver* saver_;
  std::filesystem::path folder_;  // RUN/checkpoints
  const nlohmann::json& facts_;
  checkpoint::RankWriter writer_;
  bool is_writing_ = false;        // a save has begun and is not given to rank 0 yet
  checkpoint::SharedSave shared_;  // of rank 0: the save that has begun
};

}  // namespace knead::engine
