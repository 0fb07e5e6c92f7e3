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

}  // namespace knead::engine::model
