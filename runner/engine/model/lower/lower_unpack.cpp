#include <algorithm>

#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

/// Returns whether an expression is `x.shape` or `x.size()`, which are lists of ints.
bool gives_sizes(const syntax::Expression& expression) {
  const auto* call = std::get_if<syntax::Call>(&expression.kind);
  if (call && (!call->arguments.empty() || !call->keywords.empty())) return false;
  const auto* attribute =
      std::get_if<syntax::Attribute>(call ? &call->callee->kind : &expression.kind);
  return attribute && attribute->name == (call ? "size" : "shape");
}

}  // namespace

// `b, n, heads = *x.shape, self.heads` tells by its names how many sizes there are.
bool Lowering::unpack_starred(syntax::Range at, const syntax::Assign& node, Statements& out) {
  const auto* names = std::get_if<syntax::Tuple>(&node.targets[0].kind);
  const auto* values = std::get_if<syntax::Tuple>(&node.value.kind);
  if (node.targets.size() != 1 || !names || !values) return false;
  const auto is_starred = [](const syntax::Expression& item) {
    return std::holds_alternative<syntax::Starred>(item.kind);
  };
  const auto& items = values->items;
  const auto several = std::find_if(items.begin(), items.end(), is_starred);
  if (several == items.end() || std::count_if(items.begin(), items.end(), is_starred) > 1)
    return false;
  const auto& list = std::get<syntax::Starred>(several->kind);
  const auto known_list = statics_.value(*list.value);
  if (known_list && statics_.items(*known_list)) return false;
  const auto before = several - items.begin(), after = items.end() - several - 1;
  const auto count = static_cast<std::ptrdiff_t>(names->items.size());
  const auto rest = std::find_if(names->items.begin(), names->items.end(), is_starred);
  const bool has_rest = rest != names->items.end();
  if (count - (has_rest ? 1 : 0) < before + after) return false;
  // All values are taken before a name is assigned: a value may read a name.
  std::vector<jit::Expr> taken;
  std::vector<std::optional<Value>> known_values;
  for (const auto& item : items) {
    const auto& value = is_starred(item) ? *list.value : item;
    known_values.push_back(statics_.value(value));
    taken.push_back(trees_.name(at, "@value" + std::to_string(taken.size())));
    out.push_back(trees_.assign(at, taken.back(), expression(value)));
  }
  const jit::Expr sizes = taken[static_cast<std::size_t>(before)];
  const auto size_at = [&](std::ptrdiff_t index) {
    const auto number = known(at, Value(static_cast<std::int64_t>(index)));
    return jit::Subscript::create(trees_.place(at), sizes, trees_.list<jit::Expr>(at, {number}));
  };
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const auto& name = names->items[static_cast<std::size_t>(i)];
    const std::ptrdiff_t from_end = count - i;
    if (is_starred(name)) {
      // The sizes between those of the other names.
      const auto end = from_end - 1 - after;
      const auto slice = jit::SliceExpr::create(
          trees_.place(at), trees_.present(at, trees_.integer(at, i - before)),
          end > 0 ? trees_.present(at, known(at, Value(static_cast<std::int64_t>(-end))))
                  : trees_.absent<jit::Expr>(at),
          trees_.absent<jit::Expr>(at));
      const auto& starred = std::get<syntax::Starred>(name.kind);
      out.push_back(trees_.assign(
          at, target(*starred.value),
          jit::Subscript::create(trees_.place(at), sizes, trees_.list<jit::Expr>(at, {slice}))));
      learn(*starred.value, std::nullopt);
      continue;
    }
    const bool is_behind = has_rest && name.range.begin > rest->range.begin;
    std::optional<std::size_t> value;
    if (i < before) value = static_cast<std::size_t>(i);
    if (from_end <= after) value = items.size() - static_cast<std::size_t>(from_end);
    const jit::Expr taken_value =
        value ? taken[*value] : size_at(is_behind ? after - from_end : i - before);
    out.push_back(trees_.assign(at, target(name), taken_value));
    learn(name, value ? known_values[*value] : std::nullopt);
  }
  return true;
}

// TorchScript cannot unpack a list of unknown length, so `batch, *rest = x.shape` becomes one
// assignment per name.
bool Lowering::unpack_sizes(syntax::Range at, const syntax::Assign& node, Statements& out) {
  const auto* names = std::get_if<syntax::Tuple>(&node.targets[0].kind);
  if (node.targets.size() != 1 || !names || !gives_sizes(node.value)) return false;
  const auto& items = names->items;
  const auto is_rest = [](const syntax::Expression& item) {
    return std::holds_alternative<syntax::Starred>(item.kind);
  };
  const auto rest = std::find_if(items.begin(), items.end(), is_rest);
  if (rest == items.end()) return false;
  const auto before = rest - items.begin(), after = items.end() - rest - 1;
  const jit::Expr sizes = trees_.name(at, "@sizes");
  out.push_back(trees_.assign(at, sizes, expression(node.value)));
  const auto pick = [&](const jit::Expr& index) {
    return jit::Subscript::create(trees_.place(at), sizes, trees_.list<jit::Expr>(at, {index}));
  };
  for (auto item = items.begin(); item != items.end(); ++item) {
    const auto place = item - items.begin();
    if (item == rest) {
      const auto end = after > 0
                           ? trees_.present(at, known(at, Value(static_cast<std::int64_t>(-after))))
                           : trees_.absent<jit::Expr>(at);
      const auto slice =
          jit::SliceExpr::create(trees_.place(at), trees_.present(at, trees_.integer(at, before)),
                                 end, trees_.absent<jit::Expr>(at));
      const auto& starred = std::get<syntax::Starred>(item->kind);
      out.push_back(trees_.assign(at, target(*starred.value), pick(slice)));
      continue;
    }
    // Names behind the starred one count from the end: their negative index needs no length.
    const auto index = item < rest ? place : place - static_cast<std::ptrdiff_t>(items.size());
    out.push_back(
        trees_.assign(at, target(*item), pick(known(at, Value(static_cast<std::int64_t>(index))))));
  }
  learn(node.targets[0], std::nullopt);
  return true;
}

// A variable that is None first and assigned again has an Optional type; it must be declared at its
// first assignment.
jit::Maybe<jit::Expr> Lowering::type_of_none(syntax::Range at, const syntax::Expression& target) {
  const auto* name = std::get_if<syntax::Name>(&target.kind);
  const bool is_declared_here =
      name && statics_.times_assigned(name->id) > 1 && !declared_.contains(name->id);
  if (!is_declared_here) return trees_.absent<jit::Expr>(at);
  return trees_.present(at, trees_.name(at, references_.type_of_absent(name->id)));
}

// Each variable gets a type of its own.
bool Lowering::forget_all(syntax::Range at, const syntax::Assign& node, const Value& value,
                          Statements& out) {
  std::vector<const syntax::Expression*> targets;
  const auto* values = std::get_if<syntax::Tuple>(&node.value.kind);
  const auto* names = std::get_if<syntax::Tuple>(&node.targets[0].kind);
  const auto* tuple = as<Tuple>(value);
  if (is_none(value) && node.targets.size() > 1) {
    for (const auto& target : node.targets) targets.push_back(&target);
  } else if (values && names && tuple && node.targets.size() == 1 &&
             names->items.size() == (*tuple)->items.size()) {
    const auto& items = (*tuple)->items;
    if (!std::all_of(items.begin(), items.end(), is_none)) return false;
    for (const auto& target : names->items) targets.push_back(&target);
  } else {
    return false;
  }
  for (const auto* target : targets) {
    if (!std::holds_alternative<syntax::Name>(target->kind)) return false;
  }
  for (const auto* target : targets) {
    out.push_back(jit::Assign::create(
        trees_.place(at), trees_.list<jit::Expr>(at, {this->target(*target)}),
        trees_.present(node.value.range, trees_.word(node.value.range, jit::TK_NONE)),
        type_of_none(at, *target)));
    learn(*target, Value(None{}));
  }
  return true;
}

}  // namespace knead::engine::model
