#include "runner/engine/model/python/evaluate.h"

#include <filesystem>

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/model/explain/read_source.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/arguments.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/syntax/classes.h"
#include "runner/syntax/parse.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {

namespace {

using ClassPtr = std::shared_ptr<Class>;

/// Returns the names of classes, separated by commas.
std::string listed(const std::vector<const syntax::Class*>& types) {
  std::string text;
  for (const syntax::Class* type : types) text += (text.empty() ? "" : ", ") + type->name;
  return text;
}

/// Returns the module class of a name of the file; null if the name is not one.
ClassPtr module_named(const FileValues& file, const std::string& name) {
  const Value* value = file.globals->find(name);
  const auto* type = value == nullptr ? nullptr : as<Class>(*value);
  return type != nullptr && (*type)->is_module && (*type)->file != nullptr ? *type : nullptr;
}

/// Returns the function of a name of the file; null if the name is not one. Many files have a
/// function for each size of a model, such as resnet18().
std::shared_ptr<Function> function_named(const FileValues& file, const std::string& name) {
  const Value* value = file.globals->find(name);
  const auto* function = value == nullptr ? nullptr : as<Function>(*value);
  return function != nullptr && (*function)->definition != nullptr ? *function : nullptr;
}

/// Returns the module class of a name; throws knead::Error with the known classes.
ClassPtr class_named(const FileValues& file, const std::string& name) {
  if (ClassPtr type = module_named(file, name)) return type;
  const auto known = syntax::modules_of(*file.file);
  std::vector<std::string_view> names;
  for (const syntax::Class* type : known) names.push_back(type->name);
  const std::string near = schema::did_you_mean(name, names);
  throw Error(fmt::format("{} has no class '{}' below nn.Module", file.file->source->name(), name),
              near.empty() ? fmt::format("Its models are {}.", listed(known)) : near);
}

/// Returns the only module class that no other class of the file uses; throws knead::Error if there
/// are several or none.
ClassPtr only_class(const FileValues& file) {
  const auto found = syntax::outermost_modules(*file.file);
  if (found.size() == 1) return class_named(file, found[0]->name);
  const std::string& name = file.file->source->name();
  const auto all = syntax::modules_of(*file.file);
  if (all.empty()) throw Error(fmt::format("{} has no class below nn.Module", name));
  throw Error(fmt::format("model.class must say which class of {} to build", name),
              fmt::format("Its models are {}.", listed(all)));
}

}  // namespace

std::shared_ptr<Object> evaluate(const Request& request, Program& program) {
  // Parameters need gradients even if the caller disabled them.
  const c10::AutoGradMode gradients(true);
  const auto source = read_source(request.source);
  Evaluator evaluator(program, request.source.parent_path());
  add_builtins(evaluator);
  const FileValues& file = evaluator.run(syntax::parse(source), request.source.stem().string());
  // A name of the file is a function or a class, so the order of the two look-ups does not matter.
  if (const auto function = function_named(file, request.class_name)) {
    return evaluator.build(file, function, request.args);
  }
  const ClassPtr type =
      request.class_name.empty() ? only_class(file) : class_named(file, request.class_name);
  return evaluator.build(file, type, request.args);
}

}  // namespace knead::engine::model
