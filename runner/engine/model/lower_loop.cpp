#include <fmt/format.h>

#include <algorithm>

#include "runner/engine/model/lowering.h"
#include "runner/engine/model/values.h"
#include "runner/engine/model/walk.h"

namespace knead::engine::model {
namespace {

bool has_module(const Value& value) {
  if (const auto* object = as<Object>(value)) return (*object)->type->is_module;
  const auto* tuple = as<Tuple>(value);
  return tuple && std::any_of((*tuple)->items.begin(), (*tuple)->items.end(), has_module);
}

// `break` or `continue` of this loop, not of one in it.
const syntax::Statement* find_jump(const syntax::Body& body) {
  for (const auto& statement : body) {
    const auto* simple = std::get_if<syntax::Simple>(&statement.kind);
    if (simple && *simple != syntax::Simple::pass) return &statement;
    if (std::holds_alternative<syntax::For>(statement.kind) ||
        std::holds_alternative<syntax::While>(statement.kind)) {
      continue;
    }
    const syntax::Statement* found = nullptr;
    for_each_body(statement, [&](const syntax::Body& inner) {
      if (!found) found = find_jump(inner);
    });
    if (found) return found;
  }
  return nullptr;
}

void for_each_name(const syntax::Expression& target,
                   const std::function<void(const std::string&)>& visit) {
  for_each_below(target, [&](const syntax::Expression& inner) {
    if (const auto* name = std::get_if<syntax::Name>(&inner.kind)) visit(name->id);
  });
}

}  // namespace

// A loop over modules has no meaning to TorchScript but as what it does, written out. So has one
// over numbers that picks modules by them.
std::optional<Values> Lowering::items_to_unroll(
    const syntax::Expression& iterable,
    const std::vector<const syntax::Expression*>& inside) const {
  const auto value = statics_.value(iterable);
  auto items = value ? statics_.items(*value) : std::nullopt;
  if (!items) return std::nullopt;
  if (std::any_of(items->begin(), items->end(), has_module)) return items;
  for (const syntax::Expression* expression : inside) {
    bool picks = false;
    for_each_below(*expression, [&](const syntax::Expression& inner) {
      if (const auto* call = std::get_if<syntax::Call>(&inner.kind)) {
        const auto* name = std::get_if<syntax::Name>(&call->callee->kind);
        picks = picks || (name && name->id == "getattr");
      }
      const auto* subscript = std::get_if<syntax::Subscript>(&inner.kind);
      const auto of = subscript ? statics_.value(*subscript->value) : std::nullopt;
      picks = picks ||
              (of && (as<Object>(*of) || has_module(*of)) && !statics_.value(*subscript->index));
    });
    if (picks) return items;
  }
  return std::nullopt;
}

void Lowering::lower(syntax::Range at, const syntax::For& node, Statements& out) {
  if (!node.otherwise.empty()) {
    refuse(at, "a method cannot have 'else' after a loop", "set a variable before 'break'");
  }
  std::vector<const syntax::Expression*> inside;
  for_each_statement(node.body, [&](const syntax::Statement& statement) {
    for_each_expression(statement, [&](const auto& expression) { inside.push_back(&expression); });
  });
  if (const auto items = items_to_unroll(node.iterable, inside)) {
    unroll(node, *items, out);
    return;
  }
  const jit::Expr iterable = expression(node.iterable), names = target(node.target);
  out.push_back(jit::For::create(trees_.place(at), trees_.list<jit::Expr>(at, {names}),
                                 trees_.list<jit::Expr>(at, {iterable}),
                                 trees_.list(at, block(node.body))));
}

void Lowering::unroll(const syntax::For& node, const Values& items, Statements& out) {
  if (const auto* jump = find_jump(node.body)) {
    refuse(jump->range, "a loop over modules runs to its end",
           "let a condition decide what each of them does");
  }
  for (const Value& item : items) {
    assign_known(node.target.range, node.target, item, out);
    for (const auto& statement : node.body) this->statement(statement, out);
  }
}

void Lowering::assign_known(syntax::Range at, const syntax::Expression& target, const Value& value,
                            Statements& out) {
  const auto* tuple = std::get_if<syntax::Tuple>(&target.kind);
  const auto* items = as<Tuple>(value);
  if (tuple && items && tuple->items.size() == (*items)->items.size()) {
    for (std::size_t i = 0; i < tuple->items.size(); ++i) {
      assign_known(at, tuple->items[i], (*items)->items[i], out);
    }
    return;
  }
  learn(target, value);
  const auto* name = std::get_if<syntax::Name>(&target.kind);
  const bool is_bound = name && statics_.times_assigned(name->id) == 1;
  if (is_bound && has_module(value)) return;
  out.push_back(trees_.assign(at, this->target(target), known(at, value)));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Comprehension& node) {
  if (node.kind == syntax::Comprehension::Kind::set) {
    refuse(at, "a method cannot make a set", "a list can do");
  }
  if (node.generators.size() != 1) {
    refuse(at, "a comprehension in a method has one 'for'", "write loops with append");
  }
  const auto& generator = node.generators[0];
  std::vector<std::string> names;
  for_each_name(*generator.target, [&](const std::string& name) { names.push_back(name); });
  std::vector<const syntax::Expression*> inside = {node.element.get()};
  if (node.value) inside.push_back(node.value.get());
  const auto items = items_to_unroll(*generator.iterable, inside);
  const std::optional<jit::Expr> iterable =
      items ? std::nullopt : std::optional(expression(*generator.iterable));
  for (const auto& name : names) statics_.hide(name);
  const jit::Expr result = items ? unrolled(at, node, *items) : comprehended(at, node, *iterable);
  for (const auto& name : names) statics_.unhide(name);
  return result;
}

jit::Expr Lowering::comprehended(syntax::Range at, const syntax::Comprehension& node,
                                 const jit::Expr& iterable) {
  const auto& generator = node.generators[0];
  if (!generator.conditions.empty()) {
    refuse(generator.conditions[0].range, "a comprehension in a method cannot choose with 'if'",
           "write a loop with append");
  }
  const jit::Expr names = target(*generator.target), element = expression(*node.element);
  if (node.value) {
    return jit::DictComp::create(trees_.place(at), element, expression(*node.value), names,
                                 iterable);
  }
  return jit::ListComp::create(trees_.place(at), element, names, iterable);
}

jit::Expr Lowering::unrolled(syntax::Range at, const syntax::Comprehension& node,
                             const Values& items) {
  const auto& generator = node.generators[0];
  const auto before = statics_.bindings();
  std::vector<jit::Expr> elements, values;
  for (const Value& item : items) {
    bind_hidden(*generator.target, item);
    bool is_chosen = true;
    for (const auto& condition : generator.conditions) {
      const auto holds = statics_.truth(condition);
      if (!holds) {
        refuse(condition.range, "a comprehension in a method cannot choose with 'if'",
               "write a loop with append");
      }
      is_chosen = is_chosen && *holds;
    }
    if (!is_chosen) continue;
    elements.push_back(expression(*node.element));
    if (node.value) values.push_back(expression(*node.value));
  }
  statics_.restore(before);
  const auto list = trees_.list(at, elements);
  if (node.value) {
    return jit::DictLiteral::create(trees_.place(at), list, trees_.list(at, values));
  }
  return jit::ListLiteral::create(trees_.place(at), list);
}

void Lowering::bind_hidden(const syntax::Expression& target, const Value& value) {
  if (const auto* name = std::get_if<syntax::Name>(&target.kind)) {
    if (statics_.times_assigned(name->id) > 0) {
      refuse(target.range, fmt::format("'{}' has another meaning in this method", name->id),
             "choose another name");
    }
    statics_.bind(name->id, value);
    return;
  }
  const auto* tuple = std::get_if<syntax::Tuple>(&target.kind);
  const auto* items = as<Tuple>(value);
  if (!tuple || !items || tuple->items.size() != (*items)->items.size()) {
    refuse(target.range, "the items do not fit these names", "");
  }
  for (std::size_t i = 0; i < tuple->items.size(); ++i) {
    bind_hidden(tuple->items[i], (*items)->items[i]);
  }
}

}  // namespace knead::engine::model
