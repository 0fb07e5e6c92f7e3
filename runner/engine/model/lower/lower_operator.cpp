#include <fmt/format.h>

#include <algorithm>

#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/walk.h"

namespace knead::engine::model {
namespace {

/// Returns the TorchScript token of an operator.
int kind_of(syntax::BinaryOperator op) {
  using enum syntax::BinaryOperator;
  switch (op) {
    case add: return '+';
    case subtract: return '-';
    case multiply: return '*';
    case matrix_multiply: return '@';
    case divide: return '/';
    case floor_divide: return jit::TK_FLOOR_DIV;
    case modulo: return '%';
    case power: return jit::TK_POW;
    case shift_left: return jit::TK_LSHIFT;
    case shift_right: return jit::TK_RSHIFT;
    case bit_and: return '&';
    case bit_or: return '|';
    case bit_xor: return '^';
  }
  return 0;
}

int kind_of(syntax::ComparisonOperator op) {
  using enum syntax::ComparisonOperator;
  switch (op) {
    case equal: return jit::TK_EQ;
    case not_equal: return jit::TK_NE;
    case less: return '<';
    case less_equal: return jit::TK_LE;
    case greater: return '>';
    case greater_equal: return jit::TK_GE;
    case is: return jit::TK_IS;
    case is_not: return jit::TK_ISNOT;
    case in:
    case not_in: return jit::TK_IN;
  }
  return 0;
}

}  // namespace

jit::Expr Lowering::lower(syntax::Range at, const syntax::Unary& node) {
  switch (node.op) {
    case syntax::UnaryOperator::minus:
      return trees_.unary(at, jit::TK_UNARY_MINUS, expression(*node.operand));
    case syntax::UnaryOperator::invert: return trees_.unary(at, '~', expression(*node.operand));
    case syntax::UnaryOperator::not_:
      return trees_.unary(at, jit::TK_NOT, condition(*node.operand));
    case syntax::UnaryOperator::plus: break;
  }
  return expression(*node.operand);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Binary& node) {
  const jit::Expr left = expression(*node.left), right = expression(*node.right);
  // The emitter returns a float for int ** int, so sugar_builtin.cpp emits the operator.
  if (node.op == syntax::BinaryOperator::power) {
    return trees_.call(at, known(at, make_builtin("pow", nullptr)), {left, right});
  }
  return trees_.binary(at, kind_of(node.op), left, right);
}

// `a or b` in Python is one of the operands and not a bool, so it becomes `a if a else b`.
jit::Expr Lowering::logical(syntax::Range at, const syntax::Logical& node, std::size_t first) {
  const auto& operand = node.operands[first];
  if (first + 1 == node.operands.size()) return expression(operand);
  if (const auto holds = statics_.truth(operand)) {
    return *holds == node.is_and ? logical(at, node, first + 1) : expression(operand);
  }
  refuse_second_evaluation(operand,
                           node.is_and ? "the left side of 'and'" : "the left side of 'or'");
  const jit::Expr test = condition(operand), self = expression(operand);
  const jit::Expr rest = logical(at, node, first + 1);
  return node.is_and ? trees_.conditional(at, test, rest, self)
                     : trees_.conditional(at, test, self, rest);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Logical& node) {
  return logical(at, node, 0);
}

jit::Expr Lowering::condition(const syntax::Expression& expression) {
  if (const auto holds = statics_.truth(expression)) {
    return trees_.word(expression.range, *holds ? jit::TK_TRUE : jit::TK_FALSE);
  }
  const auto* node = std::get_if<syntax::Logical>(&expression.kind);
  if (!node) return this->expression(expression);
  std::optional<jit::Expr> result;
  for (const auto& operand : node->operands) {
    // Python stops at an operand that decides the result, and skips one that cannot.
    const auto holds = statics_.truth(operand);
    if (holds && *holds == node->is_and) continue;
    const jit::Expr one = condition(operand);
    const int kind = node->is_and ? jit::TK_AND : jit::TK_OR;
    result = result ? trees_.binary(expression.range, kind, *result, one) : one;
    if (holds) break;
  }
  return *result;
}

// TorchScript cannot name a value inside an expression, so an operand that is used twice is
// evaluated twice. Only calls of functions without side effects are allowed in it.
void Lowering::refuse_second_evaluation(const syntax::Expression& expression, const char* where) {
  static constexpr const char* kPure[] = {
      "len", "isinstance", "hasattr",           "size", "dim", "numel", "int", "float", "abs",
      "min", "max",        "is_floating_point", "sum",  "all", "any",   "item"};
  for_each_below(expression, [&](const syntax::Expression& inner) {
    const auto* call = std::get_if<syntax::Call>(&inner.kind);
    if (!call) return;
    const auto* name = std::get_if<syntax::Name>(&call->callee->kind);
    const auto* attribute = std::get_if<syntax::Attribute>(&call->callee->kind);
    if (is_one_of(name ? name->id : attribute ? attribute->name : "", kPure)) return;
    refuse(inner.range, fmt::format("{} would be computed twice", where),
           "give it a name in a line before");
  });
}

jit::Expr Lowering::compared(syntax::Range at, syntax::ComparisonOperator op,
                             const syntax::Expression& left, const syntax::Expression& right) {
  using enum syntax::ComparisonOperator;
  if (op != in && op != not_in) {
    return trees_.binary(at, kind_of(op), expression(left), expression(right));
  }
  const auto* tuple = std::get_if<syntax::Tuple>(&right.kind);
  const auto* set = std::get_if<syntax::Set>(&right.kind);
  std::optional<jit::Expr> container;
  if (tuple || set) {
    std::vector<jit::Expr> items;
    for (const auto& item : tuple ? tuple->items : set->items) items.push_back(expression(item));
    container =
        jit::ListLiteral::create(trees_.place(right.range), trees_.list(right.range, items));
  } else {
    container = expression(right);
  }
  const jit::Expr found = trees_.binary(at, jit::TK_IN, expression(left), *container);
  return op == in ? found : trees_.unary(at, jit::TK_NOT, found);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Comparison& node) {
  std::optional<jit::Expr> result;
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    const auto& left = node.operands[i];
    if (i > 0) refuse_second_evaluation(left, "the middle of this comparison");
    const syntax::Range both = {left.range.begin, node.operands[i + 1].range.end};
    const jit::Expr one = compared(both, node.operators[i], left, node.operands[i + 1]);
    result = result ? trees_.binary(at, jit::TK_AND, *result, one) : one;
  }
  return *result;
}

}  // namespace knead::engine::model
