#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace knead::run {

/// Names the source of a run's initial weights.
struct WeightsOrigin {
  /// The file of the raw weights, or the index of several.
  std::filesystem::path file;
  /// The files of averaged weights, which replace the raw ones; several if ranks have saved pieces
  /// of them; empty if there are none.
  std::vector<std::filesystem::path> averages;
  /// The source in words: "runs/digits, step 940 (its best)"; for a file, its path.
  std::string words;
  /// Identifies a run or a checkpoint independently of its path; empty for a file. A run's stays
  /// the same while it trains on.
  std::string identity;
  /// A sentence for each damaged checkpoint that is passed over.
  std::vector<std::string> left_out;
};

/// Finds the weights that model.weights.from names: a file; the folder of a run, from which it
/// takes the checkpoint that stands for it (best_checkpoint.h), by the run's recipe and
/// evaluations; or the folder of a checkpoint. Reads and compares the digests of the files that it
/// takes from a checkpoint; the content of a plain file is not looked at. Throws knead::Error for
/// another folder, and for one without whole weights.
WeightsOrigin find_origin(const std::filesystem::path& from);

/// Returns the identity of a folder without reading its weights: the id of a run, which may have
/// trained further since, or the digests of a checkpoint's weights. std::nullopt if the folder is
/// neither, or is a run without a readable checkpoint. Throws knead::Error if a manifest cannot be
/// read.
std::optional<std::string> identity_of_folder(const std::filesystem::path& from);

}  // namespace knead::run
