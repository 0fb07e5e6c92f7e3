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

// LibTorch returns the full name first, "float32", then its short form, "float".
std::string dtype_words(at::ScalarType dtype) { return c10::getDtypeNames(dtype).first; }

}  // namespace knead::engine
