#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Lists the number types of tensors.
enum class Dtype : std::uint8_t {
  boolean,  // one byte, 0 or 1
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

/// Returns the size of a number in bytes.
std::size_t bytes_of(Dtype dtype);

/// Returns the name of a type in recipes: "float32".
std::string_view word_of(Dtype dtype);
/// Returns the type of a name; the name must be one of a type.
Dtype dtype_named(std::string_view word);

/// Describes the values that all samples of a set have under one name.
struct Field {
  std::string name;
  Dtype dtype = Dtype::float32;
  std::vector<std::int64_t> shape;  // of one sample; empty for a single number

  /// Returns the size of one sample's values in bytes.
  std::size_t bytes_per_sample() const;
};

/// Returns the remedy for a number of a file that does not fit the type of its field. `has_scale`:
/// the kind of set has a scale for its fields.
std::string misfit_remedy(const Field& field, bool has_scale);

}  // namespace knead::data
