#include "runner/data/table.h"

namespace knead::data {

std::size_t bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32: return 4;
    case Dtype::float64:
    case Dtype::int64: return 8;
    case Dtype::boolean: return 1;
  }
  return 0;
}

std::size_t Field::bytes_per_sample() const {
  std::size_t bytes = bytes_of(dtype);
  for (const std::int64_t size : shape) bytes *= static_cast<std::size_t>(size);
  return bytes;
}

}  // namespace knead::data
