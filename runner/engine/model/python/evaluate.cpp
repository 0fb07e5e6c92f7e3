#include "runner/engine/model/python/evaluate.h"

#include <filesystem>

#include <ATen/Context.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/model/python/arguments.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/module_tree.h"
#include "runner/syntax/classes.h"
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

/// Runs the statements of a file that the class or the function needs, and those that its arguments
/// may need: a dataclass that no annotation names. Random numbers that they draw are given back: in
/// PyTorch the seed is set when the file has been imported.
void need_class(Evaluator& evaluator, const FileValues& file, const std::string& name) {
  auto generator = at::globalContext().defaultGenerator(at::Device(at::kCPU));
  const at::Tensor state = generator.get_state();
  syntax::Names names;
  if (!name.empty()) names.insert(name);
  for (const syntax::Class* one : syntax::outermost_modules(*file.file)) {
    if (name.empty()) names.insert(one->name);
  }
  for (const syntax::Class* one : syntax::classes_of(*file.file)) {
    if (syntax::dataclass_decorator(*one)) names.insert(one->name);
  }
  evaluator.need(file, names);
  generator.set_state(state);
}

/// Throws the error of the statement that gives a name its value, if it failed.
void expect_value(const Value* value) {
  const auto* names = value ? as<Namespace>(*value) : nullptr;
  if (names && (*names)->failure) throw syntax::Refusal(*(*names)->failure);
  const auto* type = value ? as<Class>(*value) : nullptr;
  if (type && (*type)->failure) throw syntax::Refusal(*(*type)->failure);
}

/// Returns the module class of a name of the file; null if the name is not one.
ClassPtr module_named(const FileValues& file, const std::string& name) {
  const Value* value = file.globals->find(name);
  expect_value(value);
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

/// Constructs an object of a class of the file with the arguments of a recipe.
std::shared_ptr<Object> build(Evaluator& evaluator, const FileValues& file, const ClassPtr& type,
                              const schema::Node& args) {
  const syntax::Range range = type->definition->name_range;
  return evaluator.in_file(file, range, [&] {
    const Arguments arguments = to_arguments(evaluator, *type, args);
    auto made = std::get<std::shared_ptr<Object>>(evaluator.construct(type, arguments, range));
    expect_tree(made);
    return made;
  });
}

/// Calls a function of the file with the arguments of a recipe and returns the module that it
/// makes. Throws syntax::Refusal if the result is not an nn.Module.
std::shared_ptr<Object> build(Evaluator& evaluator, const FileValues& file,
                              const std::shared_ptr<Function>& function, const schema::Node& args) {
  const syntax::Range range = function->definition->name_range;
  return evaluator.in_file(file, range, [&] {
    const Arguments arguments = to_arguments(evaluator, *function, args);
    const Value made = evaluator.call(function, arguments, range);
    const auto* object = as<Object>(made);
    if (object != nullptr && (*object)->type->is_module) {
      expect_tree(*object);
      return *object;
    }
    throw Mistake(fmt::format("{}() returns a value of type '{}', and a model is an nn.Module",
                              function->name, type_name(made)));
  });
}

}  // namespace

std::shared_ptr<Object> evaluate(const Request& request, Program& program) {
  Evaluator evaluator(program, request.source.parent_path());
  return evaluate(request, evaluator);
}

std::shared_ptr<Object> evaluate(const Request& request, Evaluator& evaluator) {
  // Parameters need gradients even if the caller disabled them.
  const c10::AutoGradMode gradients(true);
  add_builtins(evaluator);
  const auto model = evaluator.open(request.source, request.source.stem().string());
  const FileValues& file = *model->file;
  need_class(evaluator, file, request.class_name);
  // A name of the file is a function or a class, so the order of the two look-ups does not matter.
  if (const auto function = function_named(file, request.class_name)) {
    return build(evaluator, file, function, request.args);
  }
  const ClassPtr type =
      request.class_name.empty() ? only_class(file) : class_named(file, request.class_name);
  return build(evaluator, file, type, request.args);
}

}  // namespace knead::engine::model
