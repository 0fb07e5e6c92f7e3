#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace knead::run {

/// Names the source of a run's initial weights.
struct WeightsOrigin {
  std::filesystem::path file;         // the file of the raw weights
  std::filesystem::path averages;     // averaged weights, which replace raw ones; empty if none
  std::string words;                  // "runs/digits, step 940 (its best)"; for a file, its path
  std::string identity;               // of a run or checkpoint, independent of its path; else empty
  std::vector<std::string> left_out;  // a sentence for each damaged checkpoint that is passed over
};

/// Finds the weights that model.weights.from names: a file; the folder of a run, from which it
/// takes the checkpoint that stands for it (best_checkpoint.h), by the run's recipe and
/// evaluations; or the folder of a checkpoint. Reads and compares the digests of a checkpoint's
/// files. Throws knead::Error for another folder, and for one without whole weights.
WeightsOrigin find_origin(const std::filesystem::path& from);

/// Returns the identity of a folder without reading its weights: the id of a run, which may have
/// trained further since, or the digests of a checkpoint's weights. std::nullopt if the folder is
/// neither.
std::optional<std::string> identity_of_folder(const std::filesystem::path& from);

}  // namespace knead::run
