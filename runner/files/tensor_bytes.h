#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runner/files/own_bytes.h"

namespace knead::files {

/// Holds a tensor as a file stores it, in its own host memory: row-major, without gaps. The size of
/// `bytes` is that of the shape, see tensor_size(); a shape with a dimension of 0 has none.
struct TensorBytes {
  std::string name;
  std::string dtype;                // a word of safetensors: "F32", "BF16", "I64"
  std::vector<std::int64_t> shape;  // empty for a single number
  OwnBytes bytes;                   // little-endian

  bool operator==(const TensorBytes&) const = default;
};

/// Holds the "__metadata__" of a safetensors file: texts by key, in UTF-8. An empty map stands for
/// a file without it.
using Metadata = std::map<std::string, std::string>;

}  // namespace knead::files
