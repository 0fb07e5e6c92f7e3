#include "runner/engine/optimize/gradient.h"

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::engine::optimize {

const at::Tensor& dense_gradient(const NamedTensor& parameter) {
  const at::Tensor& gradient = parameter.tensor.grad();
  // The norm and the fused kernels read dense memory only.
  if (gradient.defined() && gradient.layout() != at::kStrided)
    throw Error(fmt::format("the gradient of '{}' is sparse, and training takes dense ones only",
                            parameter.name),
                "leave sparse=True out of the layer");
  return gradient;
}

}  // namespace knead::engine::optimize
