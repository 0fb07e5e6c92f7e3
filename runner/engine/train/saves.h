#pragma once

#include <optional>

#include "runner/engine/train/shared_saves.h"

namespace knead::engine {

/// Saves checkpoints from the training loop of each rank: rank 0 writes them alone, or each rank
/// writes its shard. All ranks must call the same functions in the same order, with all updates
/// settled. One thread; files are written in the background if checkpoint.async says so.
class Saves {
 public:
  /// `saver` is null on ranks other than 0. `facts` go into the manifest of each checkpoint. The
  /// objects that are passed by reference must outlive this one.
  Saves(Job& job, run::Progress& progress, const track::Tracker& tracker, run::Saver* saver,
        files::FileSystem& disk, const std::filesystem::path& run_folder, nlohmann::json facts);

  /// Saves the present step in the background; returns false if an earlier save still runs.
  bool offer();

  /// Saves the present step in the background, after an earlier save has ended.
  void save_best();

  /// Saves the present step and waits until it is durable. Throws knead::Error on rank 0 if that
  /// fails.
  void save_now();

  /// Reports the saves that have ended, on rank 0. Throws knead::Error once three in a row have
  /// failed.
  void look();

  /// Returns whether this rank has written its part of a save; the ranks tell each other.
  bool is_part_written() const { return shared_ && shared_->is_part_written(); }

  /// Takes over whether all ranks have written their part of a save.
  void heed(bool are_parts_written);

 private:
  std::vector<std::string> gather_generators();
  checkpoint::Snapshot snapshot(const std::vector<std::string>& generators) const;

  Trained& trained_;
  parallel::Group& group_;
  run::Progress& progress_;
  const track::Tracker& tracker_;
  run::Saver* saver_;
  nlohmann::json facts_;
  std::optional<SharedSaves> shared_;  // std::nullopt if rank 0 writes alone
};

}  // namespace knead::engine
