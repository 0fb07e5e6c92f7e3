#include <ATen/autocast_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/nll_loss_nd.h>
#include <torch/library.h>

// What autocast does on the second device: as on the CPU, for the operators of the tests' models. A
// GPU has other lists of its own.

namespace at::autocast {
namespace {

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
  KERNEL_PRIVATEUSEONE(linear, lower_precision_fp)
  KERNEL_PRIVATEUSEONE(nll_loss_nd, fp32)
}

}  // namespace
}  // namespace at::autocast
