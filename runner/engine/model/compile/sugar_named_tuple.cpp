#include <fmt/format.h>

#include <algorithm>

#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/sugar.h"

namespace knead::engine::model {

c10::TupleTypePtr Compiler::named_tuple(const Class& type,
                                        const std::vector<c10::TypePtr>& fields) {
  std::string key = fmt::format("{}", static_cast<const void*>(&type));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    key += ";" + fields[i]->repr_str();
    names.push_back(type.fields[i].name);
  }
  c10::TupleTypePtr& made = named_tuples_[key];
  if (made) return made;
  const auto name = unit_->mangle(c10::QualifiedName(qualified_name(type.file, type.name)));
  made = c10::TupleType::createNamed(name, names, fields);
  unit_->register_type(made);
  return made;
}

// An object of a NamedTuple becomes a named tuple of TorchScript. A field has the type of its
// argument, or the wider type of its annotation.
jit::SugaredValuePtr ClassSugar::named_tuple(const jit::SourceRange& at,
                                             jit::GraphFunction& function,
                                             at::ArrayRef<jit::NamedValue> arguments,
                                             at::ArrayRef<jit::NamedValue> named) {
  const auto refuse = [&](const std::string& problem) {
    compiler_.refuse(at, fmt::format("{}() {}", type_->name, problem));
  };
  jit::Graph& graph = *function.graph();
  const auto& fields = type_->fields;
  std::vector<jit::Value*> values(fields.size(), nullptr);
  if (arguments.size() > fields.size()) {
    refuse(fmt::format("takes {} arguments but {} were given", fields.size(), arguments.size()));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) values[i] = arguments[i].value(graph);
  for (const auto& argument : named) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const Field& one) { return one.name == argument.name(); });
    if (field == fields.end()) refuse(fmt::format("has no field '{}'", argument.name()));
    values[static_cast<std::size_t>(field - fields.begin())] = argument.value(graph);
  }
  std::vector<c10::TypePtr> types;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!values[i] && !fields[i].fallback) {
      refuse(fmt::format("misses the field '{}'", fields[i].name));
    }
    if (!values[i]) {
      values[i] = compiler_.sugar(*fields[i].fallback, at, function)->asValue(at, function);
    }
    types.push_back(c10::unshapedType(values[i]->type()));
    if (!fields[i].annotation || !type_->file) continue;
    const auto annotated = type_of_annotation(
        *fields[i].annotation,
        [&](const std::string& name) -> const Value* { return type_->file->globals->find(name); });
    if (annotated && types.back()->isSubtypeOf(*annotated)) types.back() = annotated;
  }
  jit::Node* node =
      graph.insertNode(graph.createTuple(values, compiler_.named_tuple(*type_, types)));
  node->setSourceRange(at);
  return std::make_shared<jit::SimpleValue>(node->output());
}

}  // namespace knead::engine::model
