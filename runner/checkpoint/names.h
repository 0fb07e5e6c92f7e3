#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace knead::checkpoint {

/// Written last: a folder without it is not a checkpoint.
inline constexpr const char* kManifestFile = "manifest.json";
/// Snapshot::state, which every checkpoint has.
inline constexpr const char* kStateFile = "state.json";

// The names of the tensor files of a run's checkpoints.
inline constexpr const char* kModelFile = "model.safetensors";
inline constexpr const char* kOptimizerFile = "optimizer.safetensors";
inline constexpr const char* kAverageFile = "average.safetensors";
inline constexpr const char* kBuffersFile = "buffers.safetensors";  // those that are not persistent
inline constexpr const char* kAttributesFile = "attributes.safetensors";  // kept beside buffers

/// The list of the files of a model that is cut into several, as Hugging Face writes and reads it.
inline constexpr const char* kIndexFile = "model.safetensors.index.json";

/// Identifies a file of a checkpoint that several ranks have written.
struct ShardFile {
  std::string file;  // as one process would write it: "model.safetensors"
  int shard = 0;     // from 0
  int shards = 1;
};

/// Returns the name of the file of a shard: "model-00001-of-00004.safetensors" for shard 0. `file`
/// ends in ".safetensors".
std::string shard_name(const ShardFile& shard);
/// Returns what a name that shard_name() made says; std::nullopt for any other name.
std::optional<ShardFile> shard_of(const std::string& name);

/// Returns RUN/checkpoints.
std::filesystem::path checkpoints_folder(const std::filesystem::path& run_folder);

/// Returns the folder name of a checkpoint: "step-00000500". Steps have at least 8 digits, so that
/// names sort by step.
std::string step_name(std::uint64_t step);
/// Returns the step of a name that step_name() made; std::nullopt for any other name, such as
/// "step-500" with too few digits.
std::optional<std::uint64_t> step_of(const std::string& name);

/// Returns the folder name of a damaged checkpoint that recovery set aside: "bad-step-00000500-1".
/// `n` counts from 1, because a step can be damaged, written again and damaged again.
std::string bad_name(std::uint64_t step, int n);
/// Returns the step of a name that bad_name() made; std::nullopt for any other name.
std::optional<std::uint64_t> step_of_bad(const std::string& name);

/// Returns a random name, ".tmp-" and 32 hexadecimal digits, for a folder that is not published
/// yet or that is about to be deleted.
std::string new_temporary_name();
/// Returns whether new_temporary_name() may have made a name.
bool is_temporary(const std::string& name);

/// Returns whether a tensor file of a checkpoint may have this name: it ends in ".safetensors",
/// does not begin with a dot and has no slash or NUL. The name must not be empty.
bool is_tensor_file(const std::string& name);

}  // namespace knead::checkpoint
