#include <functional>

#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/walk.h"

namespace knead::engine::model {
namespace {

/// Visits the names of an assignment target.
void for_each_name(const syntax::Expression& target,
                   const std::function<void(const std::string&)>& visit) {
  for_each_below(target, [&](const syntax::Expression& inner) {
    if (const auto* name = std::get_if<syntax::Name>(&inner.kind)) visit(name->id);
  });
}

}  // namespace

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
  // The iterable is lowered before the names are hidden, because it is evaluated in the scope
  // outside.
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

// TorchScript has no `if` in comprehensions. Each item becomes a list of itself or an empty list,
// and these lists are concatenated.
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
  // An empty list of the same type: the slice [:0] of the list of one item.
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

// TorchScript has no map(). Its result is a list here, where Python has an iterator: a method may
// go over it or unpack it.
std::optional<jit::Expr> Lowering::map_call(syntax::Range at, const syntax::Call& node) {
  if (node.arguments.size() != 2 || !node.keywords.empty()) return std::nullopt;
  const syntax::Expression& function = node.arguments[0];
  const auto* lambda = std::get_if<syntax::Lambda>(&function.kind);
  const bool takes_one = lambda && lambda->parameters.size() == 1 &&
                         lambda->parameters[0].kind == syntax::Parameter::Kind::ordinary;
  if (lambda && !takes_one) return std::nullopt;
  // TorchScript goes over a list and not over a tuple.
  const auto* tuple = std::get_if<syntax::Tuple>(&node.arguments[1].kind);
  const auto listed = [&](const syntax::Expressions& written) -> jit::Expr {
    std::vector<jit::Expr> all;
    for (const auto& item : written) all.push_back(expression(item));
    return jit::ListLiteral::create(trees_.place(at), trees_.list(at, all));
  };
  const jit::Expr items = tuple ? listed(tuple->items) : expression(node.arguments[1]);
  const std::string name = lambda ? lambda->parameters[0].name : "@item";
  const jit::Expr item = trees_.name(function.range, name);
  if (!lambda) {
    const jit::Expr element = trees_.call(at, expression(function), {item});
    return jit::ListComp::create(trees_.place(at), element, item, items);
  }
  statics_.hide(name);
  const jit::Expr element = expression(*lambda->body);
  statics_.unhide(name);
  return jit::ListComp::create(trees_.place(at), element, item, items);
}

// `[f(a, b) for a in x for b in y]` becomes a list of lists, which is flattened.
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
  // Each inner level makes a list, so every level but the last gives a list of lists.
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
  // The last item must not stay known after the comprehension.
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
