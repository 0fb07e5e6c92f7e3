#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knead::files {

/// Describes a number type of the safetensors format.
struct Dtype {
  int rank = 0;  // position in the format's own order, by which tensors are sorted in a file
  std::uint64_t bits = 0;  // of one number; some types have fewer than 8
};

/// Finds the type that a word names ("F32"); std::nullopt if the format does not define the word.
/// Upper and lower case differ. The words are those of the reference library
/// (huggingface/safetensors), also ones that no tensor of LibTorch has.
std::optional<Dtype> find_dtype(const std::string& word);

/// Returns the size of a tensor in bytes, 12 for F32 and {3, 1}; std::nullopt if it is not a whole
/// number of bytes, if it overflows 64 bits, or if a dimension is negative. An empty shape is one
/// number; a dimension of 0 gives 0.
std::optional<std::uint64_t> tensor_size(const Dtype& dtype,
                                         const std::vector<std::int64_t>& shape);

}  // namespace knead::files
