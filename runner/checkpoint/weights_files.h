#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/checkpoint/evaluated_tensors.h"
#include "runner/files/file_system.h"

namespace knead::checkpoint {

/// Returns the text of the index file of Hugging Face: which file holds each tensor, by name, and
/// how many bytes all tensors have.
std::string index_text(const std::map<std::string, std::string>& file_of, std::uint64_t bytes);

/// Writes weights as the safetensors file `path`, or in parts beside it of at most `max_shard`
/// bytes of tensors each, if they have more: MODEL-00001-of-00004.safetensors … and
/// MODEL.safetensors.index.json. A tensor that is larger has a part of its own. Parts replace the
/// single file of an earlier export, and readers prefer a single file to the parts of one. A kill
/// leaves the old weights, the new ones, or parts without an index, which no reader takes for a
/// model.
///
/// Returns the path of the file, or of the index. Needs memory for a few megabytes. `path` must end
/// in ".safetensors" if `max_shard` is there. Throws files::FileError, and what the contents of the
/// tensors throw.
std::filesystem::path write_safetensors(const EvaluatedTensors& weights,
                                        std::optional<std::uint64_t> max_shard,
                                        files::FileSystem& disk, const std::filesystem::path& path);

}  // namespace knead::checkpoint
