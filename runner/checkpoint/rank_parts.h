#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runner/checkpoint/snapshot.h"
#include "runner/files/file.h"

namespace knead::checkpoint {

/// Holds what one of several ranks writes of a checkpoint: copies that it owns.
struct RankParts {
  std::vector<Part> parts;
  /// Made while the tensors were copied, as Snapshot::tensors.
  TensorDigest tensors;
};

/// Tells what a rank has written, or why it could not.
struct RankResult {
  std::map<std::string, files::FileFacts> files;  // by name
  TensorDigest tensors;
  std::uint64_t model_bytes = 0;  // of the model's tensors
  std::string failure;            // a sentence without its full stop; empty: all is written
  bool is_full = false;           // whether it failed for lack of space
};

/// Returns an upper bound of the bytes that the parts need on the disk. Throws
/// std::invalid_argument as files::safetensors() does.
std::uint64_t size_on_disk(const std::vector<Part>& parts);

/// Writes the parts into a folder that exists and is not published, and syncs them and their names.
/// Does not throw for failures of the disk or of the memory: they are in the result.
RankResult write_parts(files::FileSystem& files, const std::filesystem::path& folder,
                       const RankParts& parts);

/// Returns a result as text, for another process.
std::string to_text(const RankResult& result);
/// Parses what to_text() returned. Throws nlohmann::json's exceptions for anything else.
RankResult rank_result(const std::string& text);

/// Returns the text of model.safetensors.index.json for the model's files among `files`, whose
/// tensors the digest lists. `model_bytes`: of all tensors of the model.
std::string index_text(const TensorDigest& tensors, std::uint64_t model_bytes);

/// Deals tensors to ranks so that each gets about as many bytes: the largest first, each to the
/// rank that has least. Returns the rank of each tensor, the same on every machine. Pure function.
std::vector<int> deal_by_size(const std::vector<std::uint64_t>& sizes, int ranks);

}  // namespace knead::checkpoint
