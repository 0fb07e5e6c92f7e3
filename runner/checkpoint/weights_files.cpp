#include "runner/checkpoint/weights_files.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "runner/checkpoint/names.h"
#include "runner/files/folders.h"
#include "runner/files/safetensors.h"
#include "schema/document/json_text.h"

namespace knead::checkpoint {
namespace {

namespace fs = std::filesystem;

/// Cuts the tensors into lists of at most `most` bytes, or of a single tensor that is larger.
std::vector<std::vector<files::TensorContent>> cut(const std::vector<files::TensorContent>& tensors,
                                                   std::uint64_t most) {
  std::vector<std::vector<files::TensorContent>> parts;
  std::uint64_t size = 0;
  for (const files::TensorContent& tensor : tensors) {
    if (parts.empty() || size + tensor.size > most) {
      parts.emplace_back();
      size = 0;
    }
    parts.back().push_back(tensor);
    size += tensor.size;
  }
  return parts;
}

/// Returns the words for the file of one part: names of tied weights stand where their tensor is.
files::Metadata metadata_of(const std::vector<files::TensorContent>& part,
                            const files::Metadata& all) {
  files::Metadata out;
  for (const auto& [key, word] : all) {
    const bool is_here = std::any_of(part.begin(), part.end(), [&name = word](const auto& tensor) {
      return tensor.name == name;
    });
    if (!key.starts_with("alias:") || is_here) out[key] = word;
  }
  return out;
}

fs::path index_of(const fs::path& path) { return path.string() + ".index.json"; }

fs::path write_parts_of(const std::vector<std::vector<files::TensorContent>>& parts,
                        const files::Metadata& metadata, files::FileSystem& disk,
                        const fs::path& path) {
  // Readers take an index with parts of two models for one.
  files::remove_if_there(disk, index_of(path));
  std::map<std::string, std::string> file_of;
  std::uint64_t bytes = 0;
  const int count = static_cast<int>(parts.size());
  for (int i = 0; i < count; ++i) {
    const auto& part = parts[static_cast<std::size_t>(i)];
    const std::string name = shard_name({path.filename(), i, count});
    files::publish(disk, path.parent_path() / name,
                   files::safetensors(part, metadata_of(part, metadata)));
    for (const files::TensorContent& tensor : part) {
      file_of[tensor.name] = name;
      bytes += tensor.size;
    }
  }
  files::publish(disk, index_of(path), index_text(file_of, bytes));
  files::remove_if_there(disk, path);  // readers prefer it to the index
  return index_of(path);
}

}  // namespace

std::string index_text(const std::map<std::string, std::string>& file_of, std::uint64_t bytes) {
  return schema::json_text(
             nlohmann::json{{"metadata", {{"total_size", bytes}}}, {"weight_map", file_of}}, 2) +
         "\n";
}

fs::path write_safetensors(const EvaluatedTensors& weights, std::optional<std::uint64_t> max_shard,
                           files::FileSystem& disk, const fs::path& path) {
  const auto& [tensors, metadata] = weights;
  if (max_shard) {
    const auto parts = cut(tensors, *max_shard);
    if (parts.size() > 1) return write_parts_of(parts, metadata, disk, path);
  }
  files::publish(disk, path, files::safetensors(tensors, metadata));
  return path;
}

}  // namespace knead::checkpoint
