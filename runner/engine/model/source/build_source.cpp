#include "runner/engine/model/source/build_source.h"

#include "runner/engine/model/compile/compile.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/source/interpreted.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

namespace {

/// Returns whether a class of the user says what train() or eval() does.
bool has_own_modes(const std::shared_ptr<Object>& root) {
  bool found = false;
  visit_modules(root, [&](const std::string&, const std::shared_ptr<Object>& part) {
    for (const char* method : {"train", "eval"}) {
      const Value* member = part->type->find(method);
      found = found || (member && as<Function>(*member));
    }
  });
  return found;
}

/// Calls train() or eval() of a model, and returns the modules that are in the other mode then.
std::vector<std::string> contrary_after(Evaluated& made, const char* method, bool on) {
  made.evaluator.begin_anew();
  made.evaluator.in_file(*made.program.files.front(), {0, 1},
                         [&] { return made.evaluator.call_method(made.root, method, {}); });
  std::vector<std::string> names;
  visit_modules(made.root, [&](const std::string& name, const std::shared_ptr<Object>& part) {
    if (part->training != on) names.push_back(name);
  });
  return names;
}

/// Finds out what own methods train() and eval() do. What they do besides, such as to freeze
/// parameters, stays as train() left it.
ContraryModes modes_of(Evaluated& made) {
  ContraryModes modes;
  if (!has_own_modes(made.root)) return modes;
  modes.in_evaluation = contrary_after(made, "eval", false);
  modes.in_training = contrary_after(made, "train", true);
  return modes;
}

/// Builds a model by `build`, which takes it as __init__ left it, and keeps its own modes.
template <class Build>
std::unique_ptr<Model> built(const Request& request, const Build& build) {
  auto made = std::make_unique<Evaluated>(request);
  const ContraryModes modes = modes_of(*made);
  std::unique_ptr<Model> model = build(std::move(made));
  model->keep_modes(modes);
  return model;
}

}  // namespace

std::unique_ptr<Model> build_source(const Request& request) {
  return built(request, [](std::unique_ptr<Evaluated> made) {
    try {
      // The program may end here: a compiled model keeps the texts of its files, and no syntax
      // tree.
      return compile(made->root, made->program);
    } catch (const EndlessCode&) {
      throw;
    } catch (const syntax::Refusal& refusal) {
      return interpret(std::move(made), refusal);
    }
  });
}

std::unique_ptr<Model> compile_source(const Request& request) {
  return built(request,
               [](std::unique_ptr<Evaluated> made) { return compile(made->root, made->program); });
}

std::unique_ptr<Model> interpret_source(const Request& request) {
  return built(request, [](std::unique_ptr<Evaluated> made) {
    return interpret(std::move(made), syntax::Refusal("model-refused", {}, "it was not tried"));
  });
}

}  // namespace knead::engine::model
