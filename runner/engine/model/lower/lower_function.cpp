#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/values.h"
#include "runner/syntax/names/statement_names.h"

namespace knead::engine::model {
namespace {

/// Returns whether a function can keep a value as a constant: no method can change it, and it needs
/// no place in the graph.
bool is_constant(const Value& value) {
  return !is_tensor(value) && !as<List>(value) && !as<Dict>(value) && !as<Set>(value) &&
         !has_module(value);
}

}  // namespace

// TorchScript has no functions as values. A function that a method makes is compiled like one of
// the file: what is known of the method's variables is constant in it, and the others become
// arguments.
Value Lowering::local_function(Function made, const syntax::Names& free) {
  const Function& around = statics_.function();
  made.file = around.file;
  made.closure = std::make_shared<Scope>();
  made.closure->outer = around.closure;
  for (const std::string& name : free) {
    if (!statics_.is_local(name)) continue;
    const auto known = statics_.bindings().find(name);
    const bool is_known = known != statics_.bindings().end();
    if (is_known && is_constant(known->second)) {
      made.closure->set(name, known->second);
    } else if (is_known || declared_.contains(name)) {
      made.captures.push_back(name);
    }
  }
  return std::make_shared<Function>(std::move(made));
}

Values Lowering::known_defaults(const std::vector<syntax::Parameter>& parameters) {
  Values defaults;
  for (const syntax::Parameter& parameter : parameters) {
    if (!parameter.fallback) continue;
    const auto value = statics_.value(*parameter.fallback);
    if (!value) {
      refuse(parameter.fallback->range, "this default would be known only while the model runs",
             "give it as an argument");
    }
    defaults.push_back(*value);
  }
  return defaults;
}

Value Lowering::local_function(const syntax::Expression& expression) {
  const auto& lambda = std::get<syntax::Lambda>(expression.kind);
  Function made;
  made.name = "<lambda>";
  made.lambda = &lambda;
  made.fallbacks = known_defaults(lambda.parameters);
  return local_function(std::move(made), syntax::free_names(expression));
}

void Lowering::lower(syntax::Range at, const syntax::Function& node, Statements&) {
  if (!node.decorators.empty()) {
    refuse(at, "a function that a method makes cannot have decorators", "write it in the file");
  }
  Function made;
  made.name = node.name;
  made.definition = &node;
  made.fallbacks = known_defaults(node.parameters);
  statics_.bind(node.name, local_function(std::move(made), syntax::free_names(node)));
}

std::vector<jit::Attribute> Lowering::captured_arguments(syntax::Range at, const Value& callee) {
  std::vector<jit::Attribute> arguments;
  const auto* function = as<Function>(callee);
  if (!function) return arguments;
  for (const std::string& name : (*function)->captures) {
    const auto known_value = statics_.bindings().find(name);
    const jit::Expr value = known_value == statics_.bindings().end()
                                ? trees_.name(at, name)
                                : known(at, known_value->second);
    arguments.push_back(jit::Attribute::create(trees_.place(at),
                                               trees_.identifier(at, captured_name(name)), value));
  }
  return arguments;
}

jit::Expr Lowering::called(syntax::Range at, const Value& callee, const jit::Expr& argument) {
  return trees_.call(at, known(at, callee), {argument}, captured_arguments(at, callee));
}

// map(f, (q, k, v)) becomes a tuple of calls, and map(f, items) of a list of unknown length a list.
std::optional<jit::Expr> Lowering::map_call(syntax::Range at, const syntax::Call& node) {
  const syntax::Expression& function = node.arguments[0];
  const bool is_lambda = std::holds_alternative<syntax::Lambda>(function.kind);
  const auto callee =
      is_lambda ? std::optional(local_function(function)) : statics_.value(function);
  if (!callee) return std::nullopt;
  const syntax::Expression& items = node.arguments[1];
  std::vector<jit::Expr> calls;
  const auto* tuple = std::get_if<syntax::Tuple>(&items.kind);
  const auto* list = std::get_if<syntax::List>(&items.kind);
  if (tuple || list) {
    for (const auto& item : tuple ? tuple->items : list->items) {
      if (std::holds_alternative<syntax::Starred>(item.kind)) return std::nullopt;
      calls.push_back(called(at, *callee, expression(item)));
    }
    return trees_.tuple(at, calls);
  }
  const auto value = statics_.value(items);
  if (const auto known_items = value ? statics_.items(*value) : std::nullopt) {
    for (const Value& item : *known_items) calls.push_back(called(at, *callee, known(at, item)));
    return trees_.tuple(at, calls);
  }
  const jit::Expr item = trees_.name(at, "@item");
  return jit::ListComp::create(trees_.place(at), called(at, *callee, item), item,
                               expression(items));
}

}  // namespace knead::engine::model
