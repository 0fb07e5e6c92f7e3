#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knead::data {

/// Lists the number types that arrays in files have: more than Dtype, because a field converts what
/// it reads. The values are indices of a table in stored.cpp, and all types from float16 on are
/// floating-point.
enum class Stored : std::uint8_t {
  boolean,
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  bfloat16,
  float32,
  float64
};

/// Returns the size of a number in bytes: 1, 2, 4 or 8.
std::size_t bytes_of(Stored type);
/// Returns NumPy's name of a type: "float32". The text lives as long as the program.
std::string_view word_of(Stored type);
/// Returns whether a type can hold fractions: float16, bfloat16, float32 or float64.
bool is_floating(Stored type);

/// Describes an array in a file; its first dimension counts samples. An empty shape is a single
/// number, for which samples() and sample_shape() must not be called.
struct StoredArray {
  Stored type = Stored::float32;
  bool is_big_endian = false;
  bool is_fortran = false;  // the first dimension runs fastest
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // offset of the values in the file, in bytes

  /// Returns the size of the first dimension, which must exist.
  std::uint64_t samples() const { return static_cast<std::uint64_t>(shape[0]); }
  /// Returns the dimensions behind the first, which must exist.
  std::vector<std::int64_t> sample_shape() const { return {shape.begin() + 1, shape.end()}; }
  /// Returns how many numbers a sample has: the product of the dimensions behind the first, 1 if
  /// there are none. The product must not overflow: see bytes_of().
  std::uint64_t numbers_per_sample() const;
};

/// Returns how many bytes the values of a shape take; std::nullopt if this overflows 64 bits or a
/// dimension is negative. Returns 0 if a dimension is 0 and the others do not overflow.
std::optional<std::uint64_t> bytes_of(Stored type, const std::vector<std::int64_t>& shape);

/// Writes a shape for a message: "(1797, 8, 8)".
std::string shape_words(const std::vector<std::int64_t>& shape);

}  // namespace knead::data
