#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runner/engine/model/annotation.h"
#include "runner/engine/model/compiler.h"

namespace knead::engine::model {
namespace {

// The number in "@12"; nothing for a name of the emitter's own.
std::optional<std::size_t> index_of(const std::string& name) {
  if (!name.starts_with('@')) return std::nullopt;
  std::size_t index = 0;
  std::from_chars(name.data() + 1, name.data() + name.size(), index);
  return index;
}

}  // namespace

std::string Names::refer(const Value& value) {
  values_.push_back(value);
  return fmt::format("@{}", values_.size() - 1);
}

std::string Names::refer_type(const c10::TypePtr& type) {
  types_.push_back(type);
  return fmt::format("@{}", types_.size() - 1);
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
    return !(*object)->type->is_module || (self_ && self_->path_to(object->get()));
  }
  if (const auto* tuple = as<Tuple>(value)) {
    const auto& items = (*tuple)->items;
    return std::all_of(items.begin(), items.end(),
                       [&](const auto& item) { return can_refer(item); });
  }
  return is_none(value) || is_number(value) || is_text(value) ||
         std::holds_alternative<Dtype>(value) || std::holds_alternative<Device>(value) ||
         as<Function>(value) || as<Builtin>(value) || as<BoundMethod>(value) ||
         as<Namespace>(value) || as<Class>(value);
}

jit::SugaredValuePtr Names::resolveValue(const std::string& name, jit::GraphFunction& function,
                                         const jit::SourceRange& at) {
  const auto index = index_of(name);
  if (!index || *index >= values_.size()) return nullptr;
  return compiler_.sugar(values_[*index], at, function);
}

c10::TypePtr Names::resolveType(const std::string& name, const jit::SourceRange&) {
  const auto index = index_of(name);
  return index && *index < types_.size() ? types_[*index] : nullptr;
}

}  // namespace knead::engine::model
