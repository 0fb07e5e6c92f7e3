#include "runner/engine/model/compile/compile.h"

#include "runner/engine/model/compile/compiler.h"
#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {

std::unique_ptr<Model> compile(const std::shared_ptr<Object>& root, Program& program) {
  Compiler compiler(program, root);
  auto parts = take_apart(compiler.compile());
  parts->sources = compiler.sources();
  parts->returns_at = compiler.returns_at();
  // TorchScript keeps constants in the code, so the settings of layers are read from the objects.
  parts->kinds = kinds_of(*root);
  return std::make_unique<Model>(std::move(parts));
}

std::unique_ptr<Model> build_source(const Request& request) {
  Program program;
  // The program may end here: the model keeps the texts of its files, and no syntax tree.
  return compile(evaluate(request, program), program);
}

}  // namespace knead::engine::model
