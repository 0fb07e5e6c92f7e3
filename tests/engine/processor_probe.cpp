#include "tests/engine/processor_probe.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/core/Generator.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>

#include "runner/files/read.h"
#include "runner/files/sha256.h"

namespace knead::engine {
namespace {

/// `aten` and `torch` are both the operators of ATen.
struct Operators : torch::jit::NativeResolver {
  std::shared_ptr<torch::jit::SugaredValue> resolveValue(
      const std::string& name, torch::jit::GraphFunction& function,
      const torch::jit::SourceRange& place) override {
    return NativeResolver::resolveValue(name == "aten" ? "torch" : name, function, place);
  }
};

std::vector<at::Tensor> run_probe() {
  torch::jit::CompilationUnit unit;
  unit.define(std::nullopt, files::read_text(KNEAD_ROOT "/tests/engine/processor_probe.py"),
              std::make_shared<Operators>(), nullptr);
  return unit.get_function("probe")({}).toTensorVector();
}

std::string processor_digest() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const at::Tensor state = generator.get_state();
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  generator.set_current_seed(1);
  std::string bytes;
  for (const at::Tensor& tensor : run_probe()) {
    const at::Tensor whole = tensor.contiguous();
    bytes.append(static_cast<const char*>(whole.const_data_ptr()), whole.nbytes());
  }
  at::set_num_threads(threads);
  generator.set_state(state);
  return files::sha256(bytes);
}

}  // namespace

bool computes_alike(const std::string& recorded) {
  static const std::string digest = processor_digest();
  return digest == recorded;
}

}  // namespace knead::engine
