#include <algorithm>

#include "runner/engine/model/lower/statics.h"
#include "runner/engine/model/python/evaluator/operators.h"
#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/python/evaluator/settings.h"

namespace knead::engine::model {
namespace {

/// Returns whether a value is a member of an Enum.
bool is_enum_member(const Value& value) {
  const auto* object = as<Object>(value);
  return object && is_enum(*(*object)->type);
}

}  // namespace

bool is_plain(const Value& value) {
  if (const auto* tuple = as<Tuple>(value)) {
    return std::all_of((*tuple)->items.begin(), (*tuple)->items.end(), is_plain);
  }
  return is_none(value) || is_number(value) || is_text(value) ||
         std::holds_alternative<Dtype>(value);
}

// The truth value of an object comes from __bool__ or __len__ of its class; a container of modules
// is true if it is not empty.
std::optional<bool> Statics::truth_of(const Value& value) const {
  if (is_plain(value)) return python_.truth(value);
  if (as<Function>(value) || as<Builtin>(value) || as<Class>(value)) return true;
  const auto* object = as<Object>(value);
  if (!object) return std::nullopt;
  if (is_settings(value)) return !entries_of(value).empty();
  const Class& type = *(*object)->type;
  if (type.container != Class::Container::none) {
    return !(*object)->modules.empty() || !(*object)->parameters.empty();
  }
  return type.find("__len__") || type.find("__bool__") ? std::nullopt : std::optional(true);
}

void Statics::assume(const syntax::Expression& condition, std::optional<bool> holds) {
  if (holds) {
    assumed_[&condition] = *holds;
  } else {
    assumed_.erase(&condition);
  }
}

std::optional<bool> Statics::truth(const syntax::Expression& expression) const {
  if (const auto found = assumed_.find(&expression); found != assumed_.end()) return found->second;
  const auto known = value(expression);
  return known ? truth_of(*known) : std::nullopt;
}

std::optional<Value> Statics::logical(const syntax::Logical& logical) const {
  std::optional<Value> last;
  for (const auto& operand : logical.operands) {
    last = value(operand);
    const auto holds = last ? truth_of(*last) : std::nullopt;
    if (!holds) return std::nullopt;
    if (*holds != logical.is_and) return last;
  }
  return last;
}

std::optional<Value> Statics::binary(const syntax::Binary& binary) const {
  const auto left = value(*binary.left);
  const auto right = left ? value(*binary.right) : std::nullopt;
  if (!right || !is_plain(*left) || !is_plain(*right)) return std::nullopt;
  return attempt([&] { return python_.binary(binary.op, *left, *right); });
}

std::optional<Value> Statics::updated(const syntax::AugmentedAssign& assign) const {
  const auto before = value(assign.target);
  const auto by = before ? value(assign.value) : std::nullopt;
  if (!by || !is_plain(*before) || !is_plain(*by)) return std::nullopt;
  return attempt([&] { return python_.binary(assign.op, *before, *by); });
}

std::optional<Value> Statics::unary(const syntax::Unary& unary) const {
  if (unary.op == syntax::UnaryOperator::not_) {
    const auto holds = truth(*unary.operand);
    return holds ? std::optional<Value>(!*holds) : std::nullopt;
  }
  const auto operand = value(*unary.operand);
  if (!operand || !is_number(*operand)) return std::nullopt;
  return attempt([&] { return unary_operation(python_, unary.op, *operand); });
}

std::optional<Value> Statics::comparison(const syntax::Comparison& comparison) const {
  for (std::size_t i = 0; i < comparison.operators.size(); ++i) {
    const auto left = value(comparison.operands[i]);
    const auto right = left ? value(comparison.operands[i + 1]) : std::nullopt;
    if (!right) return std::nullopt;
    const auto holds = compare(comparison.operators[i], *left, *right);
    if (!holds) return std::nullopt;
    if (!*holds) return Value(false);
  }
  return Value(true);
}

std::optional<bool> Statics::compare(syntax::ComparisonOperator op, const Value& left,
                                     const Value& right) const {
  using enum syntax::ComparisonOperator;
  if (is_enum_member(left) && is_enum_member(right) && op != in && op != not_in) {
    const bool negated = op == is_not || op == not_equal;
    return same(left, right) != negated;
  }
  if (op == is || op == is_not) {
    // An `is` between shared values is known only against None, because a method may replace a
    // tensor by another one.
    if (!is_none(left) && !is_none(right) && !(is_plain(left) && is_plain(right)) &&
        !(as<Class>(left) && as<Class>(right))) {
      return std::nullopt;
    }
    return same(left, right) == (op == is);
  }
  if (op == in || op == not_in) {
    const bool is_module_dict = as<Object>(right) && (*as<Object>(right))->type->is_module;
    const bool has_items = is_module_dict || is_settings(right) || is_plain(right);
    const auto all = has_items ? items(right) : std::nullopt;
    if (is_enum_member(left) && as<Tuple>(right)) {
      const auto& members = (*as<Tuple>(right))->items;
      const bool is_one = std::any_of(members.begin(), members.end(),
                                      [&](const Value& item) { return same(left, item); });
      return is_one == (op == in);
    }
    if (!all || !is_plain(left) || is_text(right)) return std::nullopt;
    const bool found = std::any_of(all->begin(), all->end(),
                                   [&](const Value& item) { return python_.equal(left, item); });
    return found == (op == in);
  }
  if (!is_plain(left) || !is_plain(right)) return std::nullopt;
  if (op == equal || op == not_equal) return python_.equal(left, right) == (op == equal);
  if (!is_number(left) || !is_number(right)) return std::nullopt;
  return python_.truth(comparison_operation(python_, op, left, right));
}

bool are_settings(const Dict& dict) {
  const auto is_of_another_type = [&](const auto& item) {
    return type_name(item.second) != type_name(dict.items[0].second);
  };
  return std::any_of(dict.items.begin(), dict.items.end(), is_of_another_type);
}

std::optional<Value> Statics::subscript(const syntax::Subscript& subscript) const {
  const auto of = value(*subscript.value);
  if (!of) return std::nullopt;
  if (const auto* slice = std::get_if<syntax::Slice>(&subscript.index->kind)) {
    return sliced(*of, *slice);
  }
  const auto index = value(*subscript.index);
  if (!index || !is_plain(*index)) return std::nullopt;
  if (is_settings(*of)) {
    const auto* key = std::get_if<std::string>(&*index);
    const Value* found = key ? find_named(entries_of(*of), *key) : nullptr;
    return found ? std::optional(*found) : std::nullopt;
  }
  if (const auto* object = as<Object>(*of)) return container_item(**object, *index);
  // A list of other values than modules is left out because methods may change it.
  if ((as<Tuple>(*of) || (as<List>(*of) && items(*of))) && is_integer(*index)) {
    return attempt([&] { return python_.item(*of, *index); });
  }
  const auto* dict = as<Dict>(*of);
  if (dict && are_settings(**dict)) return attempt([&] { return python_.item(*of, *index); });
  return std::nullopt;
}

std::optional<Value> Statics::container_item(const Object& object, const Value& index) const {
  if (object.type->container == Class::Container::dict) {
    const auto* name = std::get_if<std::string>(&index);
    const auto* module = name ? find_named(object.modules, *name) : nullptr;
    return module ? std::optional(make_module(*module)) : std::nullopt;
  }
  if (object.type->container == Class::Container::none || !is_integer(index)) return std::nullopt;
  const auto size = static_cast<std::int64_t>(object.modules.size());
  std::int64_t at = integer_of(index);
  if (at < 0) at += size;
  if (at < 0 || at >= size) return std::nullopt;
  return make_module(object.modules[static_cast<std::size_t>(at)].second);
}

std::optional<Value> Statics::sliced(const Value& of, const syntax::Slice& slice) const {
  const bool may_change = as<List>(of) && !items(of);
  if (may_change || !(as<Object>(of) || as<Tuple>(of) || as<List>(of))) return std::nullopt;
  const auto all = items(of);
  if (!all) return std::nullopt;
  Slice bounds;
  for (const auto& [part, bound] : {std::pair(&slice.begin, &bounds.begin),
                                    {&slice.end, &bounds.end},
                                    {&slice.step, &bounds.step}}) {
    if (!*part) continue;
    const auto known = value(**part);
    if (!known || !(is_integer(*known) || is_none(*known))) return std::nullopt;
    *bound = *known;
  }
  return attempt([&]() -> Value {
    const Range taken_items = taken(bounds, all->size());
    Values result;
    for (std::int64_t i = 0, at = taken_items.begin; i < length(taken_items);
         ++i, at += taken_items.step) {
      result.push_back((*all)[static_cast<std::size_t>(at)]);
    }
    return make_tuple(std::move(result));
  });
}

}  // namespace knead::engine::model
