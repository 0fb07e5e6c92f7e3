#include "runner/engine/model/compile/compile.h"

#include <torch/csrc/jit/runtime/print_handler.h>

#include "runner/engine/model/compile/compiler.h"
#include "runner/engine/model/module/scripted.h"
#include "schema/document/standard_streams.h"

namespace knead::engine::model {

namespace {

/// Prints what a method prints to standard error, because standard output is for knead itself.
void print_as_construction_does() {
  torch::jit::setPrintHandler([](const std::string& text) { tell(text); });
}

}  // namespace

std::unique_ptr<Model> compile(const std::shared_ptr<Object>& root, Program& program) {
  print_as_construction_does();
  Compiler compiler(program, root);
  auto parts = take_apart(compiler.compile());
  parts->sources = compiler.sources();
  parts->returns_at = compiler.returns_at();
  // TorchScript keeps constants in the code, so the settings of layers are read from the objects.
  parts->kinds = kinds_of(*root);
  return std::make_unique<Model>(std::move(parts));
}

torch::jit::Module assemble(const std::shared_ptr<Object>& root, Program& program) {
  return Compiler(program, root).assemble();
}

schema::Place returns_at(const std::shared_ptr<Object>& root, Program& program) {
  return Compiler(program, root).returns_at();
}

}  // namespace knead::engine::model
