#include <fmt/format.h>

#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/sugar.h"
#include "runner/syntax/binding/words.h"

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
  // A named type of TorchScript has one list of field types, so each list needs a name of its own.
  const auto name = unit_->mangle(c10::QualifiedName(qualified_name(type.file, type.name)));
  made = c10::TupleType::createNamed(name, names, fields);
  unit_->register_type(made);
  return made;
}

namespace {

/// Returns what is wrong with the call of a NamedTuple, which speaks of fields.
std::string field_words(const syntax::Fault& fault) {
  if (const auto* many = std::get_if<syntax::TooManyPositional>(&fault)) {
    return fmt::format("takes {} arguments but {} were given", many->most, many->given);
  }
  if (const auto* unexpected = std::get_if<syntax::UnexpectedKeyword>(&fault)) {
    return fmt::format("has no field '{}'", unexpected->name);
  }
  if (const auto* missing = std::get_if<syntax::Missing>(&fault)) {
    return fmt::format("misses the field '{}'", missing->names[0]);
  }
  return syntax::python_words(fault);
}

/// Returns the slots of the fields, or the fault of the call.
syntax::Binding bind_fields(const std::vector<Field>& fields,
                            at::ArrayRef<jit::NamedValue> arguments,
                            at::ArrayRef<jit::NamedValue> named) {
  std::vector<syntax::ParameterShape> shapes;
  for (const Field& field : fields) {
    shapes.push_back({.name = field.name, .has_default = field.fallback.has_value()});
  }
  return syntax::bind_call(shapes, shape_of(arguments, named));
}

}  // namespace

// An object of a NamedTuple becomes a named tuple of TorchScript. A field has the type of its
// argument, or the wider type of its annotation.
jit::SugaredValuePtr ClassSugar::named_tuple(const jit::SourceRange& at,
                                             jit::GraphFunction& function,
                                             at::ArrayRef<jit::NamedValue> arguments,
                                             at::ArrayRef<jit::NamedValue> named) {
  jit::Graph& graph = *function.graph();
  const auto& fields = type_->fields;
  const syntax::Binding binding = bind_fields(fields, arguments, named);
  if (const auto* fault = std::get_if<syntax::Fault>(&binding)) {
    compiler_.refuse(at, fmt::format("{}() {}", type_->name, field_words(*fault)));
  }
  const auto& slots = std::get<std::vector<syntax::Slot>>(binding);
  std::vector<jit::Value*> values;
  std::vector<c10::TypePtr> types;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (const auto* one = std::get_if<syntax::ByPosition>(&slots[i])) {
      values.push_back(arguments[one->index].value(graph));
    } else if (const auto* other = std::get_if<syntax::ByName>(&slots[i])) {
      values.push_back(named[other->index].value(graph));
    } else {
      values.push_back(compiler_.sugar(*fields[i].fallback, at, function)->asValue(at, function));
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
