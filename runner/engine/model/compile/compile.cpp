#include "runner/engine/model/compile/compile.h"

#include "runner/engine/device/start.h"
#include "runner/engine/model/compile/compiler.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/values/shown.h"

namespace knead::engine::model {

std::unique_ptr<Model> compile(const std::shared_ptr<Object>& root, Program& program) {
  show_what_models_print(show_of_model);
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
