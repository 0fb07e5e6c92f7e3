#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace knead::files {

/// A number type of safetensors.
struct Dtype {
  int rank = 0;  // the place in the format's own order, by which files are sorted
  std::uint64_t bits = 0;
};

/// None for a word that the format does not know.
std::optional<Dtype> find_dtype(const std::string& word);

/// The bytes of a tensor; none if they are no whole number of bytes or more than 64 bits can count,
/// or a size is negative.
std::optional<std::uint64_t> tensor_size(const Dtype& dtype,
                                         const std::vector<std::int64_t>& shape);

}  // namespace knead::files
