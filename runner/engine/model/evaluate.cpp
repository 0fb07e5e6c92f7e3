#include "runner/engine/model/evaluate.h"

#include <filesystem>

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/model/arguments.h"
#include "runner/engine/model/evaluator.h"
#include "runner/files/read.h"
#include "runner/syntax/parse.h"
#include "schema/problem.h"

namespace knead::engine::model {

namespace {

using ClassPtr = std::shared_ptr<Class>;

/// The modules that a file defines itself, in their order.
std::vector<ClassPtr> modules_of(const FileValues& file) {
  std::vector<ClassPtr> found;
  for (const auto& entry : file.globals->names) {
    const auto* type = as<Class>(entry.second);
    if (type && (*type)->is_module && (*type)->file == &file) found.push_back(*type);
  }
  return found;
}

std::string listed(const std::vector<ClassPtr>& types) {
  std::string text;
  for (const ClassPtr& type : types) text += (text.empty() ? "" : ", ") + type->name;
  return text;
}

ClassPtr class_named(const FileValues& file, const std::string& name) {
  const std::vector<ClassPtr> found = modules_of(file);
  std::vector<std::string_view> names;
  for (const ClassPtr& type : found) {
    if (type->name == name) return type;
    names.push_back(type->name);
  }
  const std::string near = did_you_mean(name, names);
  throw Error(fmt::format("{} defines no module '{}'", file.file->source->name(), name),
              near.empty() ? "Its modules are " + listed(found) + "." : near);
}

ClassPtr only_class(const FileValues& file) {
  const std::vector<ClassPtr> found = modules_of(file);
  if (found.size() == 1) return found[0];
  const std::string& name = file.file->source->name();
  if (found.empty()) throw Error(fmt::format("{} defines no class below nn.Module", name));
  throw Error(fmt::format("{} defines several modules", name),
              "Name one of them in the recipe as model.class: " + listed(found) + ".");
}

}  // namespace

std::shared_ptr<Object> evaluate(const Request& request, Program& program) {
  const c10::AutoGradMode gradients(true);
  const auto source = std::make_shared<schema::Source>(request.source.string(),
                                                       std::filesystem::absolute(request.source),
                                                       files::read_text(request.source));
  Evaluator evaluator(program, request.source.parent_path());
  const FileValues& file = evaluator.run(syntax::parse(source), request.source.stem().string());
  const ClassPtr type =
      request.class_name.empty() ? only_class(file) : class_named(file, request.class_name);
  return evaluator.build(file, type, request.args);
}

}  // namespace knead::engine::model
