#include <fmt/format.h>

#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

/// Returns the last part of a dotted name: "no_grad" for torch.no_grad.
std::string last_name(const syntax::Expression& expression) {
  if (const auto* name = std::get_if<syntax::Name>(&expression.kind)) return name->id;
  const auto* attribute = std::get_if<syntax::Attribute>(&expression.kind);
  return attribute ? attribute->name : "";
}

}  // namespace

jit::Stmt Lowering::without_gradients(syntax::Range at, Statements body) {
  // TorchScript cannot enter torch.no_grad() by itself, so an own class sets and restores the mode.
  const jit::Expr context = trees_.call(at, known(at, make_builtin("set_grad_enabled", nullptr)),
                                        {trees_.word(at, jit::TK_FALSE)});
  const auto item = jit::WithItem::create(trees_.place(at), context, trees_.absent<jit::Var>(at));
  return jit::With::create(trees_.place(at), trees_.list<jit::WithItem>(at, {item}),
                           trees_.list(at, body));
}

jit::Expr Lowering::context(const syntax::Expression& expression) {
  const auto* call = std::get_if<syntax::Call>(&expression.kind);
  const std::string name = call ? last_name(*call->callee) : "";
  const syntax::Range at = expression.range;
  if (name == "autocast") {
    refuse(at, "a model does not choose its precision", "say it in the recipe: precision: bf16");
  }
  if (name == "inference_mode") {
    refuse(at, "what inference mode makes cannot be trained with", "write torch.no_grad()");
  }
  const jit::Expr callee = known(at, make_builtin("set_grad_enabled", nullptr));
  if (name == "no_grad" || name == "enable_grad") {
    return trees_.call(at, callee,
                       {trees_.word(at, name == "no_grad" ? jit::TK_FALSE : jit::TK_TRUE)});
  }
  if (name == "set_grad_enabled" && call->arguments.size() == 1) {
    return trees_.call(at, callee, {this->expression(call->arguments[0])});
  }
  refuse(at, "a method can enter torch.no_grad() and torch.enable_grad() only", "");
}

// autocast(enabled=False) changes nothing where the recipe's precision does not enable it either.
bool Lowering::has_no_effect(const syntax::Expression& context) const {
  const auto* call = std::get_if<syntax::Call>(&context.kind);
  if (!call || last_name(*call->callee) != "autocast") return false;
  for (const auto& keyword : call->keywords) {
    if (keyword.name == "enabled") return statics_.truth(*keyword.value) == false;
  }
  const bool is_first = call->arguments.size() == 1;
  return is_first && statics_.truth(call->arguments[0]) == false;
}

void Lowering::lower(syntax::Range at, const syntax::With& node, Statements& out) {
  std::vector<jit::WithItem> items;
  for (const auto& item : node.items) {
    if (has_no_effect(item.context)) continue;
    if (item.target) refuse(item.target->range, "there is nothing to give a name to here", "");
    items.push_back(jit::WithItem::create(trees_.place(item.context.range), context(item.context),
                                          trees_.absent<jit::Var>(at)));
  }
  if (items.empty()) {
    for (const auto& inner : node.body) statement(inner, out);
    return;
  }
  out.push_back(jit::With::create(trees_.place(at), trees_.list(at, items),
                                  trees_.list(at, body(node.body))));
}

}  // namespace knead::engine::model
