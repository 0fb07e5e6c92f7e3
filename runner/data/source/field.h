#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Lists the number types of tensors. The order is part of the contract: word_of() uses the values
/// as indices, and all types from float16 on are floating-point. Numbers lie in memory in the
/// machine's byte order; bfloat16 is the upper half of a float32.
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

/// Returns the size of one number in bytes: 1, 2, 4 or 8.
std::size_t bytes_of(Dtype dtype);

/// Returns the name that a type has in recipes and messages: "float32"; "bool" for boolean. The
/// text lives as long as the program.
std::string_view word_of(Dtype dtype);
/// Returns the type with this name. The name must be one that word_of() returns: any other name
/// gives a value outside of the enumeration and not an exception, so callers pass words that the
/// schema has checked.
Dtype dtype_named(std::string_view word);

/// Describes the values that all samples of a set have under one name. The values of one sample lie
/// contiguously, with the last dimension varying fastest, and those of a batch are (samples,
/// shape…).
struct Field {
  std::string name;
  Dtype dtype = Dtype::float32;
  std::vector<std::int64_t> shape;  // of one sample; empty for a single number

  /// Returns the size of one sample's values in bytes. This is the distance between two samples in
  /// the memory that Source::read() fills, and 0 if a dimension is 0.
  std::size_t bytes_per_sample() const;
};

/// Returns the remedy for a number in a file that does not fit the type of its field: a smaller
/// scale for float64, another dtype for integers and 16-bit types, and for float32 the dtype
/// float64. Example with a scale: "write 'dtype: float64' or a scale for the field 'pixels'".
/// `has_scale`: the kind of set has a key `scale` for its fields, which a float32 field may then
/// use instead.
std::string misfit_remedy(const Field& field, bool has_scale);

}  // namespace knead::data
