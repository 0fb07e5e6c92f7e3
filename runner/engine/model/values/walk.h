#pragma once

#include <type_traits>
#include <variant>

#include "runner/syntax/walk.h"

namespace knead::engine::model {

/// Visits an expression and all expressions below it in pre-order, including the bodies of lambdas
/// and the parts of f-strings and comprehensions. `visit` is called with `const
/// syntax::Expression&`.
template <class Visit>
void for_each_below(const syntax::Expression& expression, const Visit& visit) {
  visit(expression);
  syntax::for_each_child(expression, [&](const auto& child) {
    if constexpr (std::is_same_v<std::decay_t<decltype(child)>, syntax::Expression>)
      for_each_below(child, visit);
  });
}

/// Visits the bodies of a compound statement, both branches of `if`, the `else` of loops and the
/// parts of `try` included; skips functions and classes, whose statements run at another time.
/// `visit` is called with `const syntax::Body&`, also for an empty one, and does not descend
/// further by itself.
template <class Visit>
void for_each_body(const syntax::Statement& statement, Visit visit) {
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, syntax::If> || std::is_same_v<Node, syntax::For> ||
                      std::is_same_v<Node, syntax::While>) {
          visit(node.body);
          visit(node.otherwise);
        } else if constexpr (std::is_same_v<Node, syntax::With>) {
          visit(node.body);
        } else if constexpr (std::is_same_v<Node, syntax::Try>) {
          visit(node.body);
          for (const syntax::Except& except : node.handlers) visit(except.body);
          visit(node.otherwise);
          visit(node.at_the_end);
        }
      },
      statement.kind);
}

/// Visits the direct expressions of a statement, including assignment targets; skips annotations,
/// which are not evaluated, and the expressions of functions and classes. Expressions in nested
/// bodies are not visited; combine this with for_each_statement() for those.
template <class Visit>
void for_each_expression(const syntax::Statement& statement, Visit visit) {
  if (std::holds_alternative<syntax::Function>(statement.kind)) return;
  if (std::holds_alternative<syntax::Class>(statement.kind)) return;
  const auto* annotated = std::get_if<syntax::AnnotatedAssign>(&statement.kind);
  syntax::for_each_child(statement, [&](const auto& child) {
    if constexpr (std::is_same_v<std::decay_t<decltype(child)>, syntax::Expression>) {
      if (!annotated || &child != &annotated->annotation) visit(child);
    }
  });
}

/// Visits every statement of a body and of its nested bodies in source order, a compound statement
/// before its bodies. A nested function or class is visited as one statement.
template <class Visit>
void for_each_statement(const syntax::Body& body, const Visit& visit) {
  for (const syntax::Statement& statement : body) {
    visit(statement);
    for_each_body(statement, [&](const syntax::Body& inner) { for_each_statement(inner, visit); });
  }
}

}  // namespace knead::engine::model
