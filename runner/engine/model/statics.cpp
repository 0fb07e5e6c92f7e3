#include "runner/engine/model/statics.h"

#include <algorithm>

#include "runner/engine/model/evaluator.h"

namespace knead::engine::model {
namespace {

// What can be computed with now: not tensors, whose values are known only when the model runs, and
// not lists, which may change.
bool is_plain(const Value& value) {
  if (const auto* tuple = as<Tuple>(value)) {
    return std::all_of((*tuple)->items.begin(), (*tuple)->items.end(), is_plain);
  }
  return is_none(value) || is_number(value) || is_text(value) ||
         std::holds_alternative<Dtype>(value);
}

// What Python would refuse is left to be refused where it is compiled.
template <class Function>
std::optional<Value> attempt(Function function) {
  try {
    return function();
  } catch (const Mistake&) {
    return std::nullopt;
  }
}

template <class Items>
auto* find_named(Items& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const auto& item) { return item.first == name; });
  return found == items.end() ? nullptr : &found->second;
}

const Slot* find_slot(const std::vector<Slot>& slots, const std::string& name) {
  const auto found =
      std::find_if(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.name == name; });
  return found == slots.end() ? nullptr : &*found;
}

bool is_callable_member(const Value& value) { return function_of(value) != nullptr; }

std::optional<Value> optional_of(const Value* value) {
  return value ? std::optional(*value) : std::nullopt;
}

}  // namespace

Statics::Statics(const Function& function, std::shared_ptr<Object> self, const Changes& changes,
                 Evaluator& python)
    : function_(function),
      python_(python),
      self_(std::move(self)),
      changes_(changes),
      facts_(read_facts(function)) {}

bool Statics::is_local(const std::string& name) const {
  return facts_.assigned.contains(name) || hidden_.contains(name);
}

void Statics::hide(const std::string& name) {
  const auto bound = bound_.find(name);
  hidden_[name].push_back(bound == bound_.end() ? std::nullopt : std::optional(bound->second));
  bound_.erase(name);
}

void Statics::unhide(const std::string& name) {
  auto& before = hidden_.at(name);
  bind(name, before.back());
  before.pop_back();
  if (before.empty()) hidden_.erase(name);
}

void Statics::bind(const std::string& name, std::optional<Value> value) {
  if (value) {
    bound_.insert_or_assign(name, std::move(*value));
  } else {
    bound_.erase(name);
  }
}

const Value* Statics::find_outer(const std::string& name) const {
  for (const Scope* scope = function_.closure.get(); scope; scope = scope->outer.get()) {
    if (const Value* value = const_cast<Scope*>(scope)->find(name)) return value;
  }
  return function_.file->globals->find(name);
}

std::optional<Value> Statics::name(const std::string& id) const {
  if (const auto bound = bound_.find(id); bound != bound_.end()) return bound->second;
  if (is_local(id)) return std::nullopt;
  return optional_of(find_outer(id));
}

std::optional<Value> Statics::value(const syntax::Expression& expression) const {
  using namespace syntax;
  const auto& kind = expression.kind;
  if (const auto* node = std::get_if<Name>(&kind)) return name(node->id);
  if (const auto* node = std::get_if<Attribute>(&kind)) {
    const auto of = value(*node->value);
    return of ? attribute(*of, node->name) : std::nullopt;
  }
  if (const auto* node = std::get_if<Call>(&kind)) return call(*node);
  if (const auto* node = std::get_if<Subscript>(&kind)) return subscript(*node);
  if (const auto* node = std::get_if<Comparison>(&kind)) return comparison(*node);
  if (const auto* node = std::get_if<Logical>(&kind)) return logical(*node);
  if (const auto* node = std::get_if<Binary>(&kind)) return binary(*node);
  if (const auto* node = std::get_if<Unary>(&kind)) return unary(*node);
  if (const auto* node = std::get_if<Conditional>(&kind)) {
    const auto holds = truth(*node->condition);
    return holds ? value(*holds ? *node->body : *node->otherwise) : std::nullopt;
  }
  return literal(expression);
}

std::optional<Value> Statics::literal(const syntax::Expression& expression) const {
  using namespace syntax;
  const auto& kind = expression.kind;
  if (const auto* node = std::get_if<Constant>(&kind)) {
    if (*node == Constant::none) return Value(None{});
    if (*node == Constant::ellipsis) return std::nullopt;
    return Value(*node == Constant::true_);
  }
  if (const auto* node = std::get_if<Integer>(&kind)) {
    return node->value ? std::optional<Value>(*node->value) : std::nullopt;
  }
  if (const auto* node = std::get_if<Float>(&kind)) return Value(node->value);
  if (const auto* node = std::get_if<String>(&kind)) return Value(node->value);
  if (const auto* node = std::get_if<FString>(&kind)) return formatted(*node);
  if (const auto* node = std::get_if<syntax::Tuple>(&kind)) {
    auto items = values(node->items);
    return items ? std::optional(make_tuple(std::move(*items))) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Values> Statics::values(const syntax::Expressions& expressions) const {
  Values result;
  for (const auto& expression : expressions) {
    auto item = value(expression);
    if (!item) return std::nullopt;
    result.push_back(std::move(*item));
  }
  return result;
}

std::optional<bool> Statics::truth(const syntax::Expression& expression) const {
  const auto known = value(expression);
  if (!known) return std::nullopt;
  if (!is_plain(*known)) return std::nullopt;
  return python_.truth(*known);
}

std::optional<Value> Statics::attribute(const Value& of, const std::string& name) const {
  if (const auto* object = as<Object>(of)) return object_attribute(**object, name);
  if (const auto* names = as<Namespace>(of)) return optional_of((*names)->names->find(name));
  if (const auto* type = as<Class>(of)) {
    const Value* member = (*type)->find(name);
    return member && !is_callable_member(*member) ? std::optional(*member) : std::nullopt;
  }
  return std::nullopt;
}

// Where a module keeps a name: in one of its four lists, or in its class.
std::optional<Value> Statics::object_attribute(const Object& object,
                                               const std::string& name) const {
  if (name == "training" || changes_.changes(*object.type, name)) return std::nullopt;
  if (const auto* module = find_named(object.modules, name)) {
    return *module ? Value(*module) : Value(None{});
  }
  for (const auto* slots : {&object.parameters, &object.buffers}) {
    if (const Slot* slot = find_slot(*slots, name)) {
      return slot->tensor ? Value(*slot->tensor) : Value(None{});
    }
  }
  if (const Value* value = find_named(object.attributes, name)) return *value;
  const Value* member = object.type->find(name);
  return member && !is_callable_member(*member) ? std::optional(*member) : std::nullopt;
}

std::optional<Value> Statics::logical(const syntax::Logical& logical) const {
  std::optional<Value> last;
  for (const auto& operand : logical.operands) {
    last = value(operand);
    if (!last || !is_plain(*last)) return std::nullopt;
    if (python_.truth(*last) != logical.is_and) return last;
  }
  return last;
}

std::optional<Value> Statics::binary(const syntax::Binary& binary) const {
  const auto left = value(*binary.left);
  const auto right = left ? value(*binary.right) : std::nullopt;
  if (!right || !is_plain(*left) || !is_plain(*right)) return std::nullopt;
  return attempt([&] { return python_.binary(binary.op, *left, *right); });
}

std::optional<Value> Statics::unary(const syntax::Unary& unary) const {
  const auto operand = value(*unary.operand);
  if (!operand || !is_plain(*operand)) return std::nullopt;
  if (unary.op == syntax::UnaryOperator::not_) return Value(!python_.truth(*operand));
  if (!is_number(*operand)) return std::nullopt;
  if (unary.op == syntax::UnaryOperator::invert) {
    return is_integer(*operand) ? std::optional<Value>(~integer_of(*operand)) : std::nullopt;
  }
  const bool negative = unary.op == syntax::UnaryOperator::minus;
  if (is_integer(*operand)) {
    return Value(negative ? -integer_of(*operand) : integer_of(*operand));
  }
  return Value(negative ? -float_of(*operand) : float_of(*operand));
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
  if (op == is || op == is_not) {
    // Of what is shared, only None can be told from everything else: a tensor may be replaced.
    if (!is_none(left) && !is_none(right) && !(is_plain(left) && is_plain(right)) &&
        !(as<Class>(left) && as<Class>(right))) {
      return std::nullopt;
    }
    return same(left, right) == (op == is);
  }
  if (op == in || op == not_in) {
    const bool is_module_dict = as<Object>(right) && (*as<Object>(right))->type->is_module;
    const auto all = is_module_dict ? items(right) : is_plain(right) ? items(right) : std::nullopt;
    if (!all || !is_plain(left) || is_text(right)) return std::nullopt;
    const bool found = std::any_of(all->begin(), all->end(),
                                   [&](const Value& item) { return python_.equal(left, item); });
    return found == (op == in);
  }
  if (!is_plain(left) || !is_plain(right)) return std::nullopt;
  if (op == equal || op == not_equal) return python_.equal(left, right) == (op == equal);
  if (!is_number(left) || !is_number(right)) return std::nullopt;
  const double a = float_of(left), b = float_of(right);
  switch (op) {
    case less: return a < b;
    case less_equal: return a <= b;
    case greater: return a > b;
    default: return a >= b;
  }
}

std::optional<Value> Statics::subscript(const syntax::Subscript& subscript) const {
  const auto of = value(*subscript.value);
  if (!of) return std::nullopt;
  if (const auto* slice = std::get_if<syntax::Slice>(&subscript.index->kind)) {
    return sliced(*of, *slice);
  }
  const auto index = value(*subscript.index);
  if (!index || !is_plain(*index)) return std::nullopt;
  if (const auto* object = as<Object>(*of)) return container_item(**object, *index);
  if (as<Tuple>(*of) && is_integer(*index)) {
    return attempt([&] { return python_.item(*of, *index); });
  }
  return std::nullopt;
}

std::optional<Value> Statics::sliced(const Value& of, const syntax::Slice& slice) const {
  const bool is_container = as<Object>(of) != nullptr;
  if (!is_container && !as<Tuple>(of)) return std::nullopt;
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
