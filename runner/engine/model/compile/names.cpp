#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/sugar.h"
#include "runner/engine/model/compile/sugar_autograd.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/values/nesting.h"
#include "schema/document/regular_expression.h"

namespace knead::engine::model {
namespace {

/// Prefixes of the names of values and types. They differ because the emitter resolves a name as a
/// type before it resolves it as a value.
constexpr std::string_view kValue = "@value ", kType = "@type ";

/// Returns the number in "@value 12"; std::nullopt for other names.
std::optional<std::size_t> index_of(const std::string& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::size_t index = 0;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(), index);
  return index;
}

}  // namespace

std::string Names::refer(const Value& value) {
  values_.push_back(value);
  return fmt::format("{}{}", kValue, values_.size() - 1);
}

std::string Names::refer_type(const c10::TypePtr& type) {
  types_.push_back(type);
  return fmt::format("{}{}", kType, types_.size() - 1);
}

std::optional<std::string> Names::refer_type(const syntax::Expression& annotation,
                                             const Statics& statics, bool must_know) {
  const auto type = type_of_annotation(
      annotation, [&](const std::string& name) { return statics.find_outer(name); });
  if (type) return refer_type(type);
  if (!must_know) return std::nullopt;
  throw syntax::Refusal("model-refused", function_.file->file->place(annotation.range),
                        "a method does not know this type",
                        "it knows Tensor, int, float, bool, str, and lists, tuples, dicts and "
                        "Optional of them");
}

bool Names::can_refer(const Value& value) const {
  if (const auto* object = as<Object>(value)) {
    if (inputs_.contains(object->get())) return true;
    return !(*object)->type->is_module || (self_ && self_->path_to(object->get()));
  }
  if (const auto* tuple = as<Tuple>(value)) {
    const auto& items = (*tuple)->items;
    return is_small(value) && std::all_of(items.begin(), items.end(),
                                          [&](const auto& item) { return can_refer(item); });
  }
  return is_none(value) || is_number(value) || is_text(value) || as<Slice>(value) ||
         std::holds_alternative<Dtype>(value) || std::holds_alternative<Device>(value) ||
         as<Function>(value) || as<Builtin>(value) || as<BoundMethod>(value) ||
         as<Namespace>(value) || as<Class>(value);
}

std::shared_ptr<Object> Names::given(std::size_t index, const Object& module,
                                     std::vector<std::string> path) {
  const auto copy = std::make_shared<Object>(module);
  for (auto& [name, child] : copy->modules) {
    if (!child) continue;
    path.push_back(name);
    child = given(index, *child, path);
    path.pop_back();
  }
  inputs_.emplace(copy.get(), Input{index, std::move(path), copy});
  return copy;
}

std::shared_ptr<Object> Names::given_context(std::size_t index) {
  auto object = std::make_shared<Object>();
  object->type = make_type("FunctionCtx");
  inputs_.emplace(object.get(), Input{index, {}, object});
  return object;
}

std::string Names::type_of_absent(const std::string& variable) {
  const auto& type = absent_.try_emplace(variable, c10::TensorType::get()).first->second;
  return refer_type(c10::OptionalType::create(type));
}

bool Names::learn_type(const std::string& error) {
  // The emitter reports the types only in the text of its error.
  static const schema::RegularExpression kAssigned(
      "Variable '(\\w+)' previously had type (.+) but is now being assigned to a value "
      "of type ([^\n]+?):?(?:\n|$)");
  static const schema::RegularExpression kBranches(
      "Type mismatch: (\\w+) is set to type (.+) in the true branch and type (.+) in the false "
      "branch");
  auto found = kAssigned.find(error);
  if (!found) found = kBranches.find(error);
  if (!found) return false;
  // Only a variable that type_of_absent() declared has a guessed type that a second try may
  // replace.
  const auto variable = absent_.find((*found)[1]);
  if (variable == absent_.end()) return false;
  const std::string tried = c10::OptionalType::create(variable->second)->repr_str();
  const std::string text = (*found)[3] == tried ? (*found)[2] : (*found)[3];
  try {
    const auto type = jit::ScriptTypeParser().parseType(text);
    if (variable->second->kind() != c10::TypeKind::TensorType) return false;  // second try
    variable->second = type;
  } catch (const jit::ErrorReport&) {
    return false;  // the parser does not accept classes of the file
  }
  return true;
}

bool Names::doubt_returns(const std::string& error) {
  const bool is_about_returns = error.find("Return value was annotated as") != error.npos ||
                                error.find("Expected an annotation of type") != error.npos;
  return is_about_returns && std::exchange(believes_returns_, false);
}

jit::SugaredValuePtr Names::resolveValue(const std::string& name, jit::GraphFunction& function,
                                         const jit::SourceRange& at) {
  const auto index = index_of(name, kValue);
  if (!index || *index >= values_.size()) return nullptr;
  const auto* object = as<Object>(values_[*index]);
  if (const auto input = object ? inputs_.find(object->get()) : inputs_.end();
      input != inputs_.end()) {
    jit::Value* value = function.graph()->inputs().at(input->second.index);
    for (const std::string& step : input->second.path) {
      value = function.graph()->insertGetAttr(value, step);
      value->node()->setSourceRange(at);
    }
    if (compiler_.is_context(value->type())) {
      return std::make_shared<ContextSugar>(compiler_, value);
    }
    return std::make_shared<ModuleSugar>(compiler_, value, *compiler_.class_of(value));
  }
  return compiler_.sugar(values_[*index], at, function);
}

c10::TypePtr Names::resolveType(const std::string& name, const jit::SourceRange&) {
  const auto index = index_of(name, kType);
  return index && *index < types_.size() ? types_[*index] : nullptr;
}

}  // namespace knead::engine::model
