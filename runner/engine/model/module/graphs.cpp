#include "runner/engine/model/module/graphs.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/passes/inliner.h>

namespace knead::engine::model {

std::vector<std::shared_ptr<torch::jit::Graph>> graphs_of(const torch::jit::CompilationUnit& unit) {
  std::vector<std::shared_ptr<torch::jit::Graph>> graphs;
  for (torch::jit::Function* function : unit.get_functions()) {
    // LibTorch leaves a null where a function was.
    auto* compiled = function ? torch::jit::tryToGraphFunction(*function) : nullptr;
    if (compiled) graphs.push_back(compiled->graph());
  }
  return graphs;
}

torch::jit::GraphFunction* callee_of(torch::jit::Node& node) {
  if (node.kind() == c10::prim::CallFunction) return torch::jit::tryToGraphFunction(&node);
  if (node.kind() != c10::prim::CallMethod) return nullptr;
  const auto type = node.input(0)->type()->cast<c10::ClassType>();
  return type ? torch::jit::tryToGraphFunction(type->getMethod(node.s(c10::attr::name))) : nullptr;
}

}  // namespace knead::engine::model
