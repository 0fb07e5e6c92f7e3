#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace knead::data {

enum class Dtype : std::uint8_t { float32, float64, int64, boolean };

std::size_t bytes_of(Dtype dtype);

/// One field of all samples of a file, in memory: (rows, shape…), row-major.
struct Field {
  std::string name;
  Dtype dtype = Dtype::float32;
  std::vector<std::int64_t> shape;  // of one sample; empty: one value
  std::vector<std::byte> values;

  std::size_t bytes_per_sample() const;
};

/// All samples of a file.
struct Table {
  std::uint64_t rows = 0;
  std::vector<Field> fields;
};

}  // namespace knead::data
