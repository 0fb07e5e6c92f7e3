#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace knead::checkpoint {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kStateFile = "state.json";

/// RUN/checkpoints
std::filesystem::path checkpoints_folder(const std::filesystem::path& run_folder);

/// "step-00000500"
std::string step_name(std::uint64_t step);
/// The step of such a name; none for any other.
std::optional<std::uint64_t> step_of(const std::string& name);

/// "bad-step-00000500-1": a checkpoint that recovery set aside.
std::string bad_name(std::uint64_t step, int n);
std::optional<std::uint64_t> step_of_bad(const std::string& name);

/// ".tmp-" and 32 hexadecimal digits: a folder that is not published, or not any more.
std::string new_temporary_name();
bool is_temporary(const std::string& name);

/// Whether a file of a checkpoint may have this name: "….safetensors" in the folder itself.
bool is_tensor_file(const std::string& name);

}  // namespace knead::checkpoint
