#include "runner/engine/model/source/build_source.h"

#include "runner/engine/model/compile/compile.h"
#include "runner/engine/model/source/interpreted.h"

namespace knead::engine::model {

std::unique_ptr<Model> build_source(const Request& request) {
  auto made = std::make_unique<Evaluated>(request);
  try {
    // The program may end here: a compiled model keeps the texts of its files, and no syntax tree.
    return compile(made->root, made->program);
  } catch (const EndlessCode&) {
    throw;
  } catch (const syntax::Refusal& refusal) {
    return interpret(std::move(made), refusal);
  }
}

std::unique_ptr<Model> compile_source(const Request& request) {
  Program program;
  return compile(evaluate(request, program), program);
}

std::unique_ptr<Model> interpret_source(const Request& request) {
  return interpret(std::make_unique<Evaluated>(request),
                   syntax::Refusal("model-refused", {}, "it was not tried"));
}

}  // namespace knead::engine::model
