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
    const std::optional<Value>& value, const std::vector<const syntax::Expression*>& inside) const {
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
  const auto value = statics_.value(node.iterable);
  const auto before = statics_.bindings();
  learn(node.target, std::nullopt);
  forget_assigned(node.body);
  if (const auto items = items_to_unroll(value, inside)) {
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

void Lowering::unroll(const syntax::For& node, const Values& items, Statements& out) {
  if (find_jump(node.body)) return unroll_with_jumps(node, items, out);
  for (const Value& item : items) {
    assign_known(node.target.range, node.target, item, out);
    for (const auto& statement : node.body) this->statement(statement, out);
  }
}

// `break` and `continue` need a loop: each round is one that runs once, if those before it have not
// been left by `break`, and says at its end that the next may follow.
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
  if (std::holds_alternative<syntax::Name>(target.kind) && has_module(value)) return;
  out.push_back(trees_.assign(at, this->target(target), known(at, value)));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Comprehension& node) {
  if (node.kind == syntax::Comprehension::Kind::set) {
    refuse(at, "a method cannot make a set", "a list can do");
  }
  if (node.generators.size() != 1) return nested(at, node, 0);
  const auto& generator = node.generators[0];
  std::vector<std::string> names;
  for_each_name(*generator.target, [&](const std::string& name) { names.push_back(name); });
  std::vector<const syntax::Expression*> inside = {node.element.get()};
  if (node.value) inside.push_back(node.value.get());
  const auto value = statics_.value(*generator.iterable);
  const auto known_items = value ? statics_.items(*value) : std::nullopt;
  const std::optional<jit::Expr> iterable = known_items && has_module(make_tuple(*known_items))
                                                ? std::nullopt
                                                : std::optional(expression(*generator.iterable));
  for (const auto& name : names) statics_.hide(name);
  const auto items = items_to_unroll(value, inside);
  const jit::Expr result = items ? unrolled(at, node, *items) : comprehended(at, node, *iterable);
  for (const auto& name : names) statics_.unhide(name);
  return result;
}

jit::Expr Lowering::comprehended(syntax::Range at, const syntax::Comprehension& node,
                                 const jit::Expr& iterable) {
  const auto& generator = node.generators[0];
  const jit::Expr items = chosen(generator, iterable);
  const jit::Expr names = target(*generator.target), element = expression(*node.element);
  if (node.value) {
    return jit::DictComp::create(trees_.place(at), element, expression(*node.value), names, items);
  }
  return jit::ListComp::create(trees_.place(at), element, names, items);
}

jit::Expr Lowering::flat(syntax::Range at, const jit::Expr& lists) {
  return trees_.call(at, known(at, make_builtin("flat", nullptr)), {lists});
}

// The items for which the conditions of a comprehension hold. The emitter has no `if` here, so each
// becomes a list of itself, or of nothing, and these one list.
jit::Expr Lowering::chosen(const syntax::Generator& generator, const jit::Expr& iterable) {
  if (generator.conditions.empty()) return iterable;
  const syntax::Range at = generator.conditions.front().range;
  const jit::Expr item = target(*generator.target);
  jit::Expr test = condition(generator.conditions.front());
  for (std::size_t i = 1; i < generator.conditions.size(); ++i) {
    test = trees_.binary(at, jit::TK_AND, test, condition(generator.conditions[i]));
  }
  const auto itself =
      jit::ListLiteral::create(trees_.place(at), trees_.list<jit::Expr>(at, {item}));
  const auto nothing = jit::Subscript::create(
      trees_.place(at), itself,
      trees_.list<jit::Expr>(at,
                             {jit::SliceExpr::create(trees_.place(at), trees_.absent<jit::Expr>(at),
                                                     trees_.present(at, trees_.integer(at, 0)),
                                                     trees_.absent<jit::Expr>(at))}));
  return flat(at,
              jit::ListComp::create(trees_.place(at), trees_.conditional(at, test, itself, nothing),
                                    item, iterable));
}

// `[f(a, b) for a in x for b in y]`: a list of lists, made one.
jit::Expr Lowering::nested(syntax::Range at, const syntax::Comprehension& node, std::size_t first) {
  const auto& generator = node.generators[first];
  const auto value = statics_.value(*generator.iterable);
  const auto items = value ? statics_.items(*value) : std::nullopt;
  if (node.value || (items && has_module(make_tuple(*items)))) {
    refuse(at,
           "a comprehension in a method that has several 'for' makes a list, and not of modules",
           "write loops");
  }
  const jit::Expr iterable = expression(*generator.iterable);
  std::vector<std::string> names;
  for_each_name(*generator.target, [&](const std::string& name) { names.push_back(name); });
  for (const auto& name : names) statics_.hide(name);
  const bool is_last = first + 1 == node.generators.size();
  const jit::Expr from = chosen(generator, iterable), target = this->target(*generator.target);
  const jit::Expr element = is_last ? expression(*node.element) : nested(at, node, first + 1);
  for (const auto& name : names) statics_.unhide(name);
  const jit::Expr list = jit::ListComp::create(trees_.place(at), element, target, from);
  return is_last ? list : flat(at, list);
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
