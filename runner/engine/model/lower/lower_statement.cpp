#include <fmt/format.h>

#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/walk.h"

namespace knead::engine::model {
namespace {

/// Limits what unrolled loops make of one function.
constexpr int kMostStatements = 100'000;

/// Returns the TorchScript token of `a op= b`; 0 if TorchScript has none.
int augmented_kind(syntax::BinaryOperator op) {
  using enum syntax::BinaryOperator;
  switch (op) {
    case add: return '+';
    case subtract: return '-';
    case multiply: return '*';
    case divide: return '/';
    case modulo: return '%';
    case shift_left: return jit::TK_LSHIFT;
    case shift_right: return jit::TK_RSHIFT;
    case bit_and: return '&';
    case bit_or: return '|';
    case bit_xor: return '^';
    default: return 0;
  }
}

/// Returns the function of sugar_builtin.cpp for an operator without a token.
const char* augmented_function(syntax::BinaryOperator op) {
  using enum syntax::BinaryOperator;
  return op == power ? "pow_" : op == floor_divide ? "floor_divide_" : "matmul";
}

bool is_plain_value(const Value& value) {
  return is_none(value) || is_number(value) || is_text(value);
}

/// Adds the targets that `del` deletes; items of tuples and lists are added one by one.
void add_deleted(const syntax::Expression& target,
                 std::vector<const syntax::Expression*>& targets) {
  if (const auto* tuple = std::get_if<syntax::Tuple>(&target.kind)) {
    for (const auto& item : tuple->items) add_deleted(item, targets);
  } else if (const auto* list = std::get_if<syntax::List>(&target.kind)) {
    for (const auto& item : list->items) add_deleted(item, targets);
  } else {
    targets.push_back(&target);
  }
}

}  // namespace

jit::Def Lowering::function(const std::string& name,
                            const std::vector<LoweredParameter>& parameters) {
  const Function& function = statics_.function();
  const syntax::Range at =
      function.definition ? function.definition->name_range : function.lambda->body->range;
  std::vector<jit::Param> params;
  for (const auto& parameter : parameters) {
    declared_.insert(parameter.name);
    const auto type = parameter.type.empty() ? trees_.absent<jit::Expr>(at)
                                             : trees_.present(at, trees_.name(at, parameter.type));
    const auto fallback = parameter.fallback ? trees_.present(at, known(at, *parameter.fallback))
                                             : trees_.absent<jit::Expr>(at);
    params.push_back(jit::Param::create(trees_.place(at), trees_.identifier(at, parameter.name),
                                        type, fallback, /*kwarg_only=*/false));
  }
  auto returns = trees_.absent<jit::Expr>(at);
  Statements statements;
  if (function.lambda) {
    statements.push_back(jit::Return::create(trees_.place(at), expression(*function.lambda->body)));
  } else {
    const auto& annotation = function.definition->returns;
    if (annotation && references_.believes_returns()) {
      const auto type = references_.refer_type(*annotation, statics_, false);
      if (type) returns = trees_.present(at, trees_.name(annotation->range, *type));
    }
    statements = body(function.definition->body);
  }
  if (function.no_grad) statements = {without_gradients(at, std::move(statements))};
  const jit::Decl decl = jit::Decl::create(trees_.place(at), trees_.list(at, params), returns);
  return jit::Def::create(trees_.place(at), trees_.identifier(at, name), decl,
                          trees_.list(at, statements));
}

jit::Def lower(const std::string& name, const std::vector<LoweredParameter>& parameters,
               Statics& statics, References& references, std::shared_ptr<jit::Source> source) {
  return Lowering(statics, references, std::move(source)).function(name, parameters);
}

Lowering::Statements Lowering::body(const syntax::Body& body) {
  Statements out;
  for (const auto& statement : body) this->statement(statement, out);
  return out;
}

// A block runs under a condition, so values that it assigns are not known after it.
Lowering::Statements Lowering::block(const syntax::Body& body) {
  auto before = statics_.bindings();
  Statements out = this->body(body);
  statics_.restore(std::move(before));
  return out;
}

void Lowering::forget_assigned(const syntax::Body& body) {
  for (const std::string& name : assigned_in(body)) statics_.bind(name, std::nullopt);
}

// A round may read what an earlier round assigned, so these names are not known at its start and
// after the loop.
Lowering::Statements Lowering::repeated(const syntax::Body& body) {
  forget_assigned(body);
  Statements out = block(body);
  forget_assigned(body);
  return out;
}

void Lowering::statement(const syntax::Statement& statement, Statements& out) {
  if (++statements_ > kMostStatements)
    refuse(statement.range,
           "loops over modules are written out here to more than 100,000 statements",
           "loop over fewer modules, or over modules in one loop only");
  if (const auto* condition = mixed_condition(statement)) {
    split(statement, *condition, out);
    return;
  }
  std::visit([&](const auto& node) { lower(statement.range, node, out); }, statement.kind);
}

void Lowering::lower(syntax::Range at, const syntax::ExpressionStatement& node, Statements& out) {
  // A docstring and a lone `...` or None need no code.
  const bool is_text = std::holds_alternative<syntax::String>(node.value.kind);
  if (is_text || std::holds_alternative<syntax::Constant>(node.value.kind)) return;
  out.push_back(jit::ExprStmt::create(trees_.place(at), expression(node.value)));
}

jit::Expr Lowering::target(const syntax::Expression& target) {
  if (const auto* name = std::get_if<syntax::Name>(&target.kind)) {
    return trees_.name(target.range, name->id);
  }
  const auto* tuple = std::get_if<syntax::Tuple>(&target.kind);
  const auto* list = std::get_if<syntax::List>(&target.kind);
  if (tuple || list) {
    std::vector<jit::Expr> items;
    for (const auto& item : tuple ? tuple->items : list->items) {
      items.push_back(this->target(item));
    }
    return trees_.tuple(target.range, items);
  }
  if (const auto* starred = std::get_if<syntax::Starred>(&target.kind)) {
    return jit::Starred::create(trees_.place(target.range), this->target(*starred->value));
  }
  return written(target);
}

// Only a single name gets a known value; the names of a tuple become unknown.
void Lowering::learn(const syntax::Expression& target, const std::optional<Value>& value) {
  for (const std::string& name : names_bound_by(target)) declared_.insert(name);
  if (const auto* name = std::get_if<syntax::Name>(&target.kind)) {
    statics_.bind(name->id, value);
    return;
  }
  for (const std::string& name : names_bound_by(target)) statics_.bind(name, std::nullopt);
}

void Lowering::lower(syntax::Range at, const syntax::Assign& node, Statements& out) {
  const bool is_lambda = std::holds_alternative<syntax::Lambda>(node.value.kind);
  const auto value = is_lambda ? local_function(node.value) : statics_.value(node.value);
  if (node.targets.size() == 1) {
    const bool is_name = std::holds_alternative<syntax::Name>(node.targets[0].kind);
    // A variable that gets another value later needs code: a branch may leave it as it is.
    const auto* name = is_name ? std::get_if<syntax::Name>(&node.targets[0].kind) : nullptr;
    const bool changes = name && statics_.times_assigned(name->id) > 1 && value &&
                         as<Tuple>(*value) && !has_module(*value);
    if (is_name && value && !changes && references_.can_refer(*value) && !is_plain_value(*value)) {
      learn(node.targets[0], value);  // a module or function needs no code
      return;
    }
  }
  if (value && forget_all(at, node, *value, out)) return;
  if (unpack_sizes(at, node, out) || unpack_starred(at, node, out)) return;
  std::vector<jit::Expr> targets;
  for (const auto& target : node.targets) targets.push_back(this->target(target));
  auto type = trees_.absent<jit::Expr>(at);
  if (node.targets.size() == 1 && value && is_none(*value)) {
    type = type_of_none(at, node.targets[0]);
  }
  out.push_back(jit::Assign::create(trees_.place(at), trees_.list(at, targets),
                                    trees_.present(node.value.range, expression(node.value)),
                                    type));
  for (const auto& target : node.targets) learn(target, value);
}

void Lowering::lower(syntax::Range at, const syntax::AugmentedAssign& node, Statements& out) {
  // The value is lowered before learn(), because `a += b` reads the old a.
  const jit::Expr place = target(node.target), value = expression(node.value);
  learn(node.target, statics_.updated(node));
  if (const int kind = augmented_kind(node.op)) {
    const jit::AugAssignKind op(jit::Compound::create(kind, trees_.place(at), {}));
    out.push_back(jit::AugAssign::create(trees_.place(at), place, op, value));
    return;
  }
  if (!std::holds_alternative<syntax::Name>(node.target.kind)) {
    refuse(at, "this operator cannot assign to an item or an attribute", "write a = a … b");
  }
  const jit::Expr function = known(at, make_builtin(augmented_function(node.op), nullptr));
  out.push_back(trees_.assign(at, place, trees_.call(at, function, {place, value})));
}

void Lowering::lower(syntax::Range at, const syntax::AnnotatedAssign& node, Statements& out) {
  if (!node.value) return;
  const bool is_name = std::holds_alternative<syntax::Name>(node.target.kind);
  const auto type =
      is_name ? references_.refer_type(node.annotation, statics_, false) : std::nullopt;
  auto annotation = trees_.absent<jit::Expr>(at);
  if (type) annotation = trees_.present(at, trees_.name(node.annotation.range, *type));
  out.push_back(jit::Assign::create(trees_.place(at),
                                    trees_.list<jit::Expr>(at, {target(node.target)}),
                                    trees_.present(at, expression(*node.value)), annotation));
  learn(node.target, std::nullopt);
}

void Lowering::lower(syntax::Range at, const syntax::Return& node, Statements& out) {
  const jit::Expr value = node.value ? expression(*node.value) : trees_.word(at, jit::TK_NONE);
  out.push_back(jit::Return::create(trees_.place(at), value));
}

void Lowering::lower(syntax::Range at, const syntax::If& node, Statements& out) {
  if (const auto holds = statics_.truth(node.condition)) {
    for (const auto& inner : *holds ? node.body : node.otherwise) statement(inner, out);
    return;
  }
  const jit::Expr test = condition(node.condition);
  const Statements body = block(node.body), otherwise = block(node.otherwise);
  forget_assigned(node.body);
  forget_assigned(node.otherwise);
  out.push_back(
      jit::If::create(trees_.place(at), test, trees_.list(at, body), trees_.list(at, otherwise)));
}

void Lowering::lower(syntax::Range at, const syntax::Try&, Statements&) {
  refuse({at.begin, at.begin + 3}, "a method cannot catch an exception",
         "ask with 'if' before; or let it end the run: it is shown with its place");
}

void Lowering::lower(syntax::Range at, const syntax::Declaration&, Statements&) {
  refuse(at, "a method cannot assign a name of the file or of another function",
         "keep the value as an attribute of self");
}

void Lowering::lower(syntax::Range at, const syntax::Class& node, Statements&) {
  refuse({at.begin, node.name_range.end}, "a method cannot make a class", "move it into the file");
}

void Lowering::lower(syntax::Range at, const syntax::Import&, Statements&) {
  refuse(at, "a method cannot import", "write it at the top of the file");
}

void Lowering::lower(syntax::Range at, const syntax::Simple& node, Statements& out) {
  switch (node) {
    case syntax::Simple::pass: return;
    case syntax::Simple::break_: out.push_back(jit::Break::create(trees_.place(at))); return;
    case syntax::Simple::continue_:
      if (!rounds_.empty() && !rounds_.back().empty()) {
        out.push_back(
            trees_.assign(at, trees_.name(at, rounds_.back()), trees_.word(at, jit::TK_TRUE)));
      }
      out.push_back(jit::Continue::create(trees_.place(at)));
      return;
  }
}

void Lowering::lower(syntax::Range at, const syntax::Assert& node, Statements& out) {
  if (statics_.truth(node.condition) == true) return;
  auto message = trees_.absent<jit::Expr>(at);
  if (node.message) message = trees_.present(at, expression(*node.message));
  out.push_back(jit::Assert::create(trees_.place(at), condition(node.condition), message));
}

void Lowering::lower(syntax::Range at, const syntax::Raise& node, Statements& out) {
  if (!node.value) refuse(at, "there is no exception here to raise again", "name one");
  jit::Expr value = expression(*node.value);
  if (!std::holds_alternative<syntax::Call>(node.value->kind)) value = trees_.call(at, value, {});
  out.push_back(jit::Raise::create(trees_.place(at), value));
}

void Lowering::lower(syntax::Range at, const syntax::Delete& node, Statements& out) {
  std::vector<const syntax::Expression*> items;
  for (const auto& item : node.targets) add_deleted(item, items);
  std::vector<jit::Expr> targets;
  for (const auto* item : items) {
    targets.push_back(target(*item));
    learn(*item, std::nullopt);
  }
  out.push_back(jit::Delete::create(trees_.place(at), trees_.list(at, targets)));
}

}  // namespace knead::engine::model
