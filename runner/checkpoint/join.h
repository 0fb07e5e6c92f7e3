#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runner/checkpoint/snapshot.h"
#include "runner/files/safetensors.h"

namespace knead::checkpoint {

/// Holds the name of a tensor file of a checkpoint and what its header says. Offsets are not looked
/// at.
struct FileHeader {
  std::string file;
  files::SafetensorsHeader header;
};

/// Says which consecutive numbers of a tensor, in row-major order, a tensor of a file holds.
struct Stretch {
  std::size_t file = 0;    // index in the list of headers
  std::size_t tensor = 0;  // index in SafetensorsHeader::tensors
  std::int64_t begin = 0;
  std::int64_t count = 0;
};

/// Describes a tensor as one process would have saved it, and where its numbers are.
struct JoinedTensor {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  /// All numbers, in order and each once. A single stretch for a tensor that no ranks share.
  std::vector<Stretch> stretches;
  /// Other tensors that must have the same bytes: each rank that holds a piece of a parameter saves
  /// the parameter's count of updates.
  std::vector<Stretch> copies;
};

/// Describes a file as one process would have saved it: "optimizer.safetensors".
struct JoinedFile {
  std::string file;
  std::vector<JoinedTensor> tensors;  // by name
  files::Metadata metadata;           // of all files, without the notes of pieces
};

/// Joins the files "model-00001-of-00004.safetensors" … of a checkpoint to the plain form; files
/// with other names pass as they are. Pure function. Throws Damaged, which names the file or the
/// tensor, if a file is missing, a number is missing or there twice, or files contradict each
/// other.
std::vector<JoinedFile> join(const std::vector<FileHeader>& files);

/// Joins the parts of a snapshot. Needs memory for one tensor besides the parts. Throws Damaged as
/// join(), and if copies differ.
std::vector<Part> join_parts(std::vector<Part> parts);

}  // namespace knead::checkpoint
