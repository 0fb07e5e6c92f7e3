#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runner/engine/model/lowering.h"
#include "runner/engine/model/values.h"
#include "runner/engine/model/walk.h"

namespace knead::engine::model {
namespace {

// Names that the emitter itself gives a meaning, where nothing of the file has that name.
constexpr const char* kEmitterNames[] = {"range", "zip", "enumerate", "print", "int",  "float",
                                         "bool",  "str", "tuple",     "list",  "dict", "sorted",
                                         "min",   "max", "abs",       "all",   "any",  "divmod",
                                         "ord",   "chr", "isinstance"};
// Those that sugar_builtin.cpp does.
constexpr const char* kOwnNames[] = {"len", "round", "sum", "reversed", "pow"};

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

template <std::size_t N>
bool is_one_of(const std::string& name, const char* const (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

void Lowering::refuse(syntax::Range at, const std::string& message,
                      const std::string& remedy) const {
  throw syntax::Refusal("model-refused", statics_.function().file->file->place(at), message,
                        remedy);
}

jit::Expr Lowering::known(syntax::Range at, const Value& value) {
  return trees_.name(at, references_.refer(value));
}

jit::Expr Lowering::expression(const syntax::Expression& expression) {
  const auto value = statics_.value(expression);
  if (value && references_.can_refer(*value)) return known(expression.range, *value);
  return written(expression);
}

jit::Expr Lowering::written(const syntax::Expression& expression) {
  return std::visit([&](const auto& node) { return lower(expression.range, node); },
                    expression.kind);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Name& node) {
  if (statics_.is_local(node.id)) return trees_.name(at, node.id);
  if (const Value* outer = statics_.find_outer(node.id)) return known(at, *outer);
  if (is_one_of(node.id, kEmitterNames)) return trees_.name(at, node.id);
  if (is_one_of(node.id, kOwnNames) || node.id.ends_with("Error") || node.id == "Exception") {
    return known(at, make_builtin(node.id, nullptr));
  }
  refuse(at, fmt::format("'{}' is not known in a method", node.id), "");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Constant& node) {
  switch (node) {
    case syntax::Constant::none: return trees_.word(at, jit::TK_NONE);
    case syntax::Constant::true_: return trees_.word(at, jit::TK_TRUE);
    case syntax::Constant::false_: return trees_.word(at, jit::TK_FALSE);
    case syntax::Constant::ellipsis: break;
  }
  return jit::Dots::create(trees_.place(at));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Integer& node) {
  if (!node.value) refuse(at, "this number does not fit 64 bits", "");
  return trees_.integer(at, *node.value);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Float& node) {
  return known(at, Value(node.value));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::String& node) {
  return trees_.text(at, node.value);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::FString& node) {
  std::string text;
  std::vector<jit::Expr> values;
  for (const auto& part : node.parts) {
    if (const auto* plain = std::get_if<std::string>(&part)) {
      if (plain->find("{}") != plain->npos) refuse(at, "'{}' cannot stand in this text", "");
      text += *plain;
      continue;
    }
    const auto& replacement = std::get<syntax::Replacement>(part);
    if (!replacement.spec.empty() || (replacement.conversion && replacement.conversion != 's')) {
      refuse(replacement.value->range, "a method cannot format numbers", "write {x} alone");
    }
    text += replacement.debug + "{}";
    values.push_back(expression(*replacement.value));
  }
  return trees_.call(at, trees_.attribute(at, trees_.text(at, text), "format"), values);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::List& node) {
  std::optional<jit::Expr> sum;
  std::vector<jit::Expr> items;
  const auto take_items = [&] {
    if (items.empty() && sum) return;
    const jit::Expr list = jit::ListLiteral::create(trees_.place(at), trees_.list(at, items));
    sum = sum ? trees_.binary(at, '+', *sum, list) : list;
    items.clear();
  };
  for (const auto& item : node.items) {
    const auto* starred = std::get_if<syntax::Starred>(&item.kind);
    if (!starred) {
      items.push_back(expression(item));
      continue;
    }
    if (!items.empty()) take_items();
    const jit::Expr list =
        trees_.call(item.range, trees_.name(item.range, "list"), {expression(*starred->value)});
    sum = sum ? trees_.binary(at, '+', *sum, list) : list;
  }
  take_items();
  return *sum;
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Tuple& node) {
  std::vector<jit::Expr> items;
  for (const auto& item : node.items) items.push_back(expression(item));
  return trees_.tuple(at, items);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Set&) {
  refuse(at, "a method cannot make a set", "a list, or a dict with True as values, can");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Dict& node) {
  std::vector<jit::Expr> keys, values;
  for (const auto& item : node.items) {
    if (!item.key) {
      refuse(item.value->range, "a method cannot put a dict into another with '**'",
             "set its keys one by one");
    }
    keys.push_back(expression(*item.key));
    values.push_back(expression(*item.value));
  }
  return jit::DictLiteral::create(trees_.place(at), trees_.list(at, keys), trees_.list(at, values));
}

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
  // A whole number to the power of another is a float to the emitter.
  if (node.op == syntax::BinaryOperator::power) {
    return trees_.call(at, known(at, make_builtin("pow", nullptr)), {left, right});
  }
  return trees_.binary(at, kind_of(node.op), left, right);
}

// Python's `a or b` is one of the two, not a truth value: `a if a else b`.
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
    // What decides is known: Python looks no further.
    const auto holds = statics_.truth(operand);
    if (holds && *holds == node->is_and) continue;
    const jit::Expr one = condition(operand);
    const int kind = node->is_and ? jit::TK_AND : jit::TK_OR;
    result = result ? trees_.binary(expression.range, kind, *result, one) : one;
    if (holds) break;
  }
  return *result;
}

// TorchScript has no way to keep a value in the middle of an expression: what is looked at twice is
// computed twice, which must not make a difference.
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

jit::Expr Lowering::lower(syntax::Range at, const syntax::Starred& node) {
  return jit::Starred::create(trees_.place(at), expression(*node.value));
}

// torch.finfo(x.dtype).min
std::optional<jit::Expr> Lowering::limit(syntax::Range at, const syntax::Attribute& node) {
  const auto* call = std::get_if<syntax::Call>(&node.value->kind);
  const auto* callee = call ? std::get_if<syntax::Attribute>(&call->callee->kind) : nullptr;
  if (!callee || callee->name != "finfo" || call->arguments.size() != 1) return std::nullopt;
  if (node.name != "min" && node.name != "max" && node.name != "eps") return std::nullopt;
  return trees_.call(at, known(at, make_builtin("finfo_" + node.name, nullptr)),
                     {expression(call->arguments[0])});
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Attribute& node) {
  if (auto found = limit(at, node)) return *found;
  return trees_.attribute(at, expression(*node.value), node.name);
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Subscript& node) {
  const auto of = statics_.value(*node.value);
  const auto* object = of ? as<Object>(*of) : nullptr;
  if (object && (*object)->type->is_module &&
      (*object)->type->container != Class::Container::parameters &&
      (*object)->type->container != Class::Container::none) {
    const auto index = statics_.value(*node.index);
    if (!index) {
      refuse(node.index->range, "which module this is would be known only while the model runs",
             "go over the modules: for i, layer in enumerate(self.layers)");
    }
    refuse(node.index->range,
           fmt::format("there is no such item: this {} has {}", (*object)->type->name,
                       (*object)->modules.size()),
           "");
  }
  return subscripted(at, node);
}

jit::Expr Lowering::subscripted(syntax::Range at, const syntax::Subscript& node) {
  std::vector<jit::Expr> indices;
  if (const auto* tuple = std::get_if<syntax::Tuple>(&node.index->kind)) {
    for (const auto& item : tuple->items) indices.push_back(expression(item));
  } else {
    indices.push_back(expression(*node.index));
  }
  // The place of a subscript ends one byte after its list of indices.
  const syntax::Range inside = {node.index->range.begin, at.end > 0 ? at.end - 1 : at.end};
  return jit::Subscript::create(trees_.place(at), expression(*node.value),
                                trees_.list(inside, indices));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Slice& node) {
  const auto part = [&](const syntax::ExpressionPtr& bound) {
    return bound ? trees_.present(bound->range, expression(*bound)) : trees_.absent<jit::Expr>(at);
  };
  return jit::SliceExpr::create(trees_.place(at), part(node.begin), part(node.end),
                                part(node.step));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Conditional& node) {
  if (const auto holds = statics_.truth(*node.condition)) {
    return expression(*holds ? *node.body : *node.otherwise);
  }
  return trees_.conditional(at, condition(*node.condition), expression(*node.body),
                            expression(*node.otherwise));
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Lambda&) {
  refuse(at, "a method cannot make a function", "write a def in the file, or another method");
}

jit::Expr Lowering::lower(syntax::Range at, const syntax::Walrus& node) {
  refuse(at, "a method cannot assign inside an expression",
         fmt::format("write a line '{} = …' before", node.name));
}

}  // namespace knead::engine::model
