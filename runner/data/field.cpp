#include "runner/data/field.h"

namespace knead::data {

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

std::size_t Field::bytes_per_sample() const {
  std::size_t bytes = bytes_of(dtype);
  for (const std::int64_t size : shape) bytes *= static_cast<std::size_t>(size);
  return bytes;
}

}  // namespace knead::data
