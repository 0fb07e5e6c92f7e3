#include "runner/engine/model/lower/lowering.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/walk.h"

namespace knead::engine::model {
namespace {

/// Returns whether an expression contains a call.
bool has_call(const syntax::Expression& expression) {
  bool found = false;
  for_each_below(expression, [&](const syntax::Expression& inner) {
    found = found || std::holds_alternative<syntax::Call>(inner.kind);
  });
  return found;
}

}  // namespace

// `p = self.dropout if self.training else 0` gives a float or an int. A TorchScript variable has
// one type, so the statement is compiled once for each value of the condition.
const syntax::Expression* Lowering::mixed_condition(const syntax::Statement& statement) const {
  const bool is_compound = std::holds_alternative<syntax::If>(statement.kind) ||
                           std::holds_alternative<syntax::While>(statement.kind) ||
                           std::holds_alternative<syntax::For>(statement.kind) ||
                           std::holds_alternative<syntax::With>(statement.kind);
  if (is_compound) return nullptr;
  const syntax::Expression* found = nullptr;
  for_each_expression(statement, [&](const syntax::Expression& expression) {
    for_each_below(expression, [&](const syntax::Expression& inner) {
      const auto* either = std::get_if<syntax::Conditional>(&inner.kind);
      if (found || !either || statics_.truth(*either->condition)) return;
      const auto first = statics_.value(*either->body), second = statics_.value(*either->otherwise);
      const bool are_numbers = first && second && is_number(*first) && is_number(*second);
      if (!are_numbers || first->index() == second->index()) return;
      // The condition moves before the statement, so it must not have side effects.
      if (!has_call(*either->condition)) found = either->condition.get();
    });
  });
  return found;
}

void Lowering::split(const syntax::Statement& statement, const syntax::Expression& condition,
                     Statements& out) {
  const jit::Expr test = this->condition(condition);
  const auto before = statics_.bindings();
  std::vector<Statements> branches;
  for (const bool holds : {true, false}) {
    // The assumption decides the conditional expression, so each branch contains one of the two
    // numbers.
    statics_.assume(condition, holds);
    this->statement(statement, branches.emplace_back());
    statics_.restore(before);
  }
  statics_.assume(condition, std::nullopt);
  for (const std::string& name : assigned_by(statement)) statics_.bind(name, std::nullopt);
  out.push_back(jit::If::create(trees_.place(statement.range), test,
                                trees_.list(statement.range, branches[0]),
                                trees_.list(statement.range, branches[1])));
}

}  // namespace knead::engine::model
