#include <fmt/format.h>

#include <algorithm>

#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/walk.h"

namespace knead::engine::model {
namespace {

/// Returns the first `break` or `continue` that belongs to this loop and not to a nested one; null
/// if there is none.
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

/// Returns all expressions of a body and of its nested bodies.
std::vector<const syntax::Expression*> expressions_in(const syntax::Body& body) {
  std::vector<const syntax::Expression*> expressions;
  for_each_statement(body, [&](const syntax::Statement& statement) {
    for_each_expression(statement, [&](const auto& each) { expressions.push_back(&each); });
  });
  return expressions;
}

}  // namespace

bool has_module(const Value& value) {
  if (const auto* object = as<Object>(value)) return (*object)->type->is_module;
  const auto* tuple = as<Tuple>(value);
  return tuple && std::any_of((*tuple)->items.begin(), (*tuple)->items.end(), has_module);
}

// TorchScript has no values for modules, so a loop over modules is unrolled, and so is a loop over
// numbers that selects modules.
std::optional<Values> Lowering::items_to_unroll(
    const std::optional<Value>& value, const std::vector<const syntax::Expression*>& inside) const {
  auto items = value ? statics_.items(*value) : std::nullopt;
  if (!items) return std::nullopt;
  const auto is_slice = [](const Value& item) { return as<Slice>(item) != nullptr; };
  if (std::any_of(items->begin(), items->end(), has_module)) return items;
  if (std::any_of(items->begin(), items->end(), is_slice)) return items;
  return picks_modules(inside) ? items : std::nullopt;
}

void Lowering::expect_registered(syntax::Range at, const Values& items) const {
  for (const Value& item : items) {
    const auto* object = as<Object>(item);
    if (!object || !(*object)->type->is_module || references_.can_refer(item)) continue;
    refuse(at, "a list of modules is not part of the model",
           "make it an nn.ModuleList or nn.ModuleDict: else PyTorch does not train them either");
  }
}

// getattr() counts as a selection, because its name may be computed from the loop variable.
bool Lowering::picks_modules(const std::vector<const syntax::Expression*>& inside) const {
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
    if (picks) return true;
  }
  return false;
}

void Lowering::lower(syntax::Range at, const syntax::For& node, Statements& out) {
  if (!node.otherwise.empty()) {
    refuse(at, "a method cannot have 'else' after a loop", "set a variable before 'break'");
  }
  const auto inside = expressions_in(node.body);
  const auto value = statics_.value(node.iterable);
  const auto before = statics_.bindings();
  learn(node.target, std::nullopt);
  forget_assigned(node.body);
  // The decision needs the state inside the loop, where assigned names are not known; the lowering
  // begins with the state before.
  if (const auto items = items_to_unroll(value, inside)) {
    expect_registered(node.iterable.range, *items);
    statics_.restore(before);
    unroll(node, *items, out);
    return;
  }
  statics_.restore(before);
  const jit::Expr iterable = expression(node.iterable), names = target(node.target);
  learn(node.target, std::nullopt);
  rounds_.emplace_back();
  const Statements body = repeated(node.body);
  rounds_.pop_back();
  learn(node.target, std::nullopt);
  out.push_back(jit::For::create(trees_.place(at), trees_.list<jit::Expr>(at, {names}),
                                 trees_.list<jit::Expr>(at, {iterable}), trees_.list(at, body)));
}

void Lowering::lower(syntax::Range at, const syntax::While& node, Statements& out) {
  if (!node.otherwise.empty()) {
    refuse(at, "a method cannot have 'else' after a loop", "set a variable before 'break'");
  }
  const auto first = statics_.truth(node.condition);
  if (first == false) return;
  const auto before = statics_.bindings();
  // The condition is evaluated after each round, so names that a round assigns are not known in it.
  forget_assigned(node.body);
  for_each_below(node.condition, [&](const syntax::Expression& inner) {
    if (const auto* walrus = std::get_if<syntax::Walrus>(&inner.kind))
      statics_.bind(walrus->name, std::nullopt);
  });
  // The number of rounds is known only if nothing but the condition ends the loop.
  if (first && !find_jump(node.body) && picks_modules(expressions_in(node.body))) {
    statics_.restore(before);
    return unroll(at, node, out);
  }
  const jit::Expr test = condition(node.condition);
  rounds_.emplace_back();
  const Statements body = repeated(node.body);
  rounds_.pop_back();
  out.push_back(jit::While::create(trees_.place(at), test, trees_.list(at, body)));
}

void Lowering::unroll(syntax::Range at, const syntax::While& node, Statements& out) {
  // Bounds the code of an unrolled loop that does not end.
  constexpr int kMostRounds = 1000;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto holds = statics_.truth(node.condition);
    if (!holds) {
      refuse(node.condition.range,
             "a loop that picks modules by a number must know when it ends before the model runs",
             "loop over the modules: for layer in self.layers");
    }
    if (!*holds) return;
    for (const auto& statement : node.body) this->statement(statement, out);
  }
  refuse(at, fmt::format("this loop picks modules in more than {} rounds", kMostRounds),
         "see that its condition ends it");
}

void Lowering::unroll(const syntax::For& node, const Values& items, Statements& out) {
  if (find_jump(node.body)) return unroll_with_jumps(node, items, out);
  for (const Value& item : items) {
    assign_known(node.target.range, node.target, item, out);
    for (const auto& statement : node.body) this->statement(statement, out);
  }
}

// `break` and `continue` need a loop around them. Each round becomes a loop that runs once, if no
// earlier round ended with `break`; at its end the round sets the flag that lets the next one run.
void Lowering::unroll_with_jumps(const syntax::For& node, const Values& items, Statements& out) {
  const syntax::Range at = node.target.range;
  const std::string name = fmt::format("@goes_on_{}", ++loops_);
  const jit::Expr goes_on = trees_.name(at, name);
  const auto say = [&](int word) { return trees_.assign(at, goes_on, trees_.word(at, word)); };
  const jit::Expr once = trees_.call(at, trees_.name(at, "range"), {trees_.integer(at, 1)});
  forget_assigned(node.body);
  out.push_back(say(jit::TK_TRUE));
  rounds_.push_back(name);
  for (const Value& item : items) {
    const auto before = statics_.bindings();
    Statements round;
    assign_known(at, node.target, item, round);
    for (const auto& statement : node.body) this->statement(statement, round);
    round.push_back(say(jit::TK_TRUE));
    statics_.restore(before);
    const auto loop =
        jit::For::create(trees_.place(at), trees_.list<jit::Expr>(at, {trees_.name(at, "@once")}),
                         trees_.list<jit::Expr>(at, {once}), trees_.list(at, round));
    out.push_back(jit::If::create(trees_.place(at), goes_on,
                                  trees_.list<jit::Stmt>(at, {say(jit::TK_FALSE), loop}),
                                  trees_.list<jit::Stmt>(at, {})));
  }
  rounds_.pop_back();
  learn(node.target, std::nullopt);
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
  // TorchScript has no variable for a module or a slice: each use of the name stands for the value.
  const bool has_no_type = has_module(value) || as<Slice>(value);
  if (std::holds_alternative<syntax::Name>(target.kind) && has_no_type) return;
  out.push_back(trees_.assign(at, this->target(target), known(at, value)));
}

}  // namespace knead::engine::model
