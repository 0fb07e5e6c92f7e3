#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace knead::engine {

/// Where the weights that a run begins with come from.
struct WeightsOrigin {
  std::filesystem::path file;      // what is opened
  std::filesystem::path averages;  // what is laid over it; empty where there are none
  std::string words;               // "runs/digits, step 940 (its best)"; of a file, its path
  std::string identity;            // of a folder, what it is wherever it lies
};

/// Of model.weights.from: a file; the folder of a run, of which the best checkpoint counts as its
/// recipe and its evaluations tell, else the newest; or the folder of one checkpoint. Averaged
/// weights where there are some. Throws knead::Error for another folder, and for one without
/// weights.
WeightsOrigin find_origin(const std::filesystem::path& from);

/// The identity of a folder, without a look at its weights: the id of a run, which may have gone on
/// since, or the digest of a checkpoint's weights. Nothing where it is neither any more.
std::optional<std::string> identity_of_folder(const std::filesystem::path& from);

}  // namespace knead::engine
