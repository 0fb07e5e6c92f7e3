#include "runner/engine/tensor/tensor_words.h"

#include <c10/core/ScalarType.h>
#include <fmt/format.h>

namespace knead::engine {

std::string shape_words(at::IntArrayRef shape) {
  std::string words;
  for (const std::int64_t size : shape)
    words += fmt::format("{}{}", words.empty() ? "" : ", ", size);
  return "(" + words + ")";
}

std::string dtype_words(at::ScalarType dtype) { return c10::getDtypeNames(dtype).first; }

std::string size_words(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

}  // namespace knead::engine
