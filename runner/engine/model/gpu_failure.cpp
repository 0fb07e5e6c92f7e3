#include "runner/engine/model/gpu_failure.h"

#include <string>

#include <fmt/format.h>

#include "schema/error.h"

namespace knead::engine::model {

void throw_if_gpu_failed(std::string_view text) {
  constexpr std::string_view kBegin = "CUDA error: ";
  const std::size_t begin = text.find(kBegin);
  if (begin == std::string_view::npos) return;
  const std::string_view rest = text.substr(begin + kBegin.size());
  const std::string_view what = rest.substr(0, rest.find('\n'));
  if (what.starts_with("device-side assert"))
    throw Error(
        "the GPU stopped at an index that is out of range, as of a token that the model "
        "does not have",
        "with device: cpu it is said where", Exit::training_failed);
  throw Error(fmt::format("the GPU failed: {}", what),
              "'nvidia-smi' says how it is; the same command goes on from the last checkpoint",
              Exit::training_failed);
}

}  // namespace knead::engine::model
