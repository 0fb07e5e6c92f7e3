#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// The number type of a tensor.
enum class Dtype : std::uint8_t {
  boolean,  // a byte, 0 or 1
  uint8,
  int8,
  int16,
  int32,
  int64,
  float16,
  bfloat16,
  float32,
  float64
};

std::size_t bytes_of(Dtype dtype);

/// "float32", as recipes call it; and back, for a word that is one.
std::string_view word_of(Dtype dtype);
Dtype dtype_named(std::string_view word);

/// What the samples of a set hold under one name.
struct Field {
  std::string name;
  Dtype dtype = Dtype::float32;
  std::vector<std::int64_t> shape;  // of one sample; empty: one value

  std::size_t bytes_per_sample() const;
};

/// What a recipe can say about a field whose type does not hold a number of its file. `has_scale`:
/// whether fields of its kind of set have a scale.
std::string misfit_remedy(const Field& field, bool has_scale);

}  // namespace knead::data
