#include "runner/data/source/field.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace knead::data {
namespace {

// The order is that of the enumeration, whose values are the indices.
constexpr std::array<std::string_view, 10> kWords{"bool",    "uint8",  "int8",    "int16",
                                                  "int32",   "int64",  "float16", "bfloat16",
                                                  "float32", "float64"};

}  // namespace

std::size_t bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::boolean:
    case Dtype::uint8:
    case Dtype::int8: return 1;
    case Dtype::int16:
    case Dtype::float16:
    case Dtype::bfloat16: return 2;
    case Dtype::int32:
    case Dtype::float32: return 4;
    case Dtype::int64:
    case Dtype::float64: return 8;
  }
  return 0;
}

std::string_view word_of(Dtype dtype) { return kWords[static_cast<std::size_t>(dtype)]; }

Dtype dtype_named(std::string_view word) {
  return static_cast<Dtype>(std::find(kWords.begin(), kWords.end(), word) - kWords.begin());
}

std::size_t Field::bytes_per_sample() const {
  std::size_t bytes = bytes_of(dtype);
  for (const std::int64_t size : shape) bytes *= static_cast<std::size_t>(size);
  return bytes;
}

std::string misfit_remedy(const Field& field, bool has_scale) {
  // No type holds more than float64, so only a smaller number helps.
  if (field.dtype == Dtype::float64)
    return fmt::format("write a smaller scale for the field '{}'", field.name);
  if (field.dtype != Dtype::float32)
    return fmt::format("write another dtype for the field '{}'", field.name);
  return fmt::format("write 'dtype: float64'{} for the field '{}'", has_scale ? " or a scale" : "",
                     field.name);
}

}  // namespace knead::data
