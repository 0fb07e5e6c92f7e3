#include <fmt/format.h>

#include "runner/engine/model/compiler.h"

namespace knead::engine::model {
namespace {

// The number that a Tensor silently becomes; nothing for other nodes.
const char* number_made(const jit::Node& node) {
  const auto name = node.kind();
  if (name == c10::aten::IntImplicit) return "int";
  if (name == c10::aten::FloatImplicit) return "float";
  if (name == c10::aten::ScalarImplicit) return "number";
  if (name == c10::aten::ComplexImplicit) return "complex";
  return nullptr;
}

void check(const Compiler& compiler, const jit::Block& block) {
  for (const jit::Node* node : block.nodes()) {
    for (const jit::Block* inner : node->blocks()) check(compiler, *inner);
    if (node->kind() == c10::prim::Constant && compiler.passed(*node->output()) &&
        !node->output()->uses().empty()) {
      compiler.refuse(node->sourceRange(), "what is called here cannot take a function",
                      "only functions and methods of the model's own files can");
    }
    const char* number = number_made(*node);
    if (!number) continue;
    compiler.refuse(node->sourceRange(),
                    fmt::format("a Tensor stands where {} {} is expected",
                                number[0] == 'i' ? "an" : "a", number),
                    "write int(x) or float(x) if a number is meant");
  }
}

}  // namespace

void check_graphs(const Compiler& compiler) {
  for (jit::Function* function : compiler.unit()->get_functions()) {
    if (function) check(compiler, *jit::toGraphFunction(*function).graph()->block());
  }
}

}  // namespace knead::engine::model
