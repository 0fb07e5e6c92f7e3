#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/files/file.h"
#include "runner/files/tensor_bytes.h"

namespace knead::files {

/// Describes a tensor of a file that is to be written. Its bytes are asked for when they are due,
/// so that the file may be larger than memory.
struct TensorContent {
  std::string name;
  std::string dtype;                // a word of safetensors: "F32", "BF16", "I64"
  std::vector<std::int64_t> shape;  // empty for a single number
  std::uint64_t size = 0;           // bytes, those of the shape
  /// Gives the bytes, row-major, without gaps, little-endian; each time that it is called.
  Content bytes;
};

/// Returns tensors in memory as contents, which borrow their bytes.
std::vector<TensorContent> contents_of(const std::vector<TensorBytes>& tensors);

}  // namespace knead::files
