#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace knead::files {

/// A tensor as a file holds it: owned host memory, row-major, without gaps.
struct TensorBytes {
  std::string name;
  std::string dtype;                // a word of safetensors: "F32", "BF16", "I64"
  std::vector<std::int64_t> shape;  // empty for a single number
  std::vector<std::byte> bytes;     // little-endian

  bool operator==(const TensorBytes&) const = default;
};

/// What a safetensors file says about itself: words only.
using Metadata = std::map<std::string, std::string>;

}  // namespace knead::files
