#pragma once

#include <type_traits>
#include <variant>

#include "runner/syntax/tree.h"

namespace knead::engine::model {

namespace walk_detail {

template <class Visit>
void visit_if(const syntax::ExpressionPtr& expression, Visit& visit) {
  if (expression) visit(*expression);
}

template <class Visit>
void visit_pieces(const std::vector<std::variant<std::string, syntax::Replacement>>& pieces,
                  Visit& visit) {
  for (const auto& piece : pieces) {
    if (const auto* replacement = std::get_if<syntax::Replacement>(&piece)) {
      visit_if(replacement->value, visit);
      visit_pieces(replacement->spec, visit);
    }
  }
}

}  // namespace walk_detail

/// Calls `visit(const syntax::Expression&)` for each expression directly below one. What stands in
/// a lambda counts.
template <class Visit>
void for_each_child(const syntax::Expression& expression, Visit visit) {
  using walk_detail::visit_if;
  const auto all = [&](const syntax::Expressions& items) {
    for (const syntax::Expression& item : items) visit(item);
  };
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, syntax::FString>) {
          walk_detail::visit_pieces(node.parts, visit);
        } else if constexpr (std::is_same_v<Node, syntax::List> ||
                             std::is_same_v<Node, syntax::Tuple> ||
                             std::is_same_v<Node, syntax::Set>) {
          all(node.items);
        } else if constexpr (std::is_same_v<Node, syntax::Dict>) {
          for (const syntax::DictItem& item : node.items) {
            visit_if(item.key, visit);
            visit_if(item.value, visit);
          }
        } else if constexpr (std::is_same_v<Node, syntax::Unary>) {
          visit(*node.operand);
        } else if constexpr (std::is_same_v<Node, syntax::Binary>) {
          visit(*node.left);
          visit(*node.right);
        } else if constexpr (std::is_same_v<Node, syntax::Logical> ||
                             std::is_same_v<Node, syntax::Comparison>) {
          all(node.operands);
        } else if constexpr (std::is_same_v<Node, syntax::Starred> ||
                             std::is_same_v<Node, syntax::Attribute> ||
                             std::is_same_v<Node, syntax::Walrus>) {
          visit(*node.value);
        } else if constexpr (std::is_same_v<Node, syntax::Call>) {
          visit(*node.callee);
          all(node.arguments);
          for (const syntax::Keyword& keyword : node.keywords) visit(*keyword.value);
        } else if constexpr (std::is_same_v<Node, syntax::Subscript>) {
          visit(*node.value);
          visit(*node.index);
        } else if constexpr (std::is_same_v<Node, syntax::Slice>) {
          visit_if(node.begin, visit);
          visit_if(node.end, visit);
          visit_if(node.step, visit);
        } else if constexpr (std::is_same_v<Node, syntax::Conditional>) {
          visit(*node.condition);
          visit(*node.body);
          visit(*node.otherwise);
        } else if constexpr (std::is_same_v<Node, syntax::Lambda>) {
          visit(*node.body);
        } else if constexpr (std::is_same_v<Node, syntax::Comprehension>) {
          visit(*node.element);
          visit_if(node.value, visit);
          for (const syntax::Generator& generator : node.generators) {
            visit(*generator.target);
            visit(*generator.iterable);
            all(generator.conditions);
          }
        }
      },
      expression.kind);
}

/// An expression and all below it, outermost first.
template <class Visit>
void for_each_below(const syntax::Expression& expression, const Visit& visit) {
  visit(expression);
  for_each_child(expression,
                 [&](const syntax::Expression& child) { for_each_below(child, visit); });
}

/// The bodies of a statement: of `if` both branches. Not those of a function or class in it.
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
        }
      },
      statement.kind);
}

/// The expressions that stand in a statement itself, targets of assignments among them.
template <class Visit>
void for_each_expression(const syntax::Statement& statement, Visit visit) {
  using walk_detail::visit_if;
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, syntax::ExpressionStatement>) {
          visit(node.value);
        } else if constexpr (std::is_same_v<Node, syntax::Assign>) {
          for (const syntax::Expression& target : node.targets) visit(target);
          visit(node.value);
        } else if constexpr (std::is_same_v<Node, syntax::AugmentedAssign>) {
          visit(node.target);
          visit(node.value);
        } else if constexpr (std::is_same_v<Node, syntax::AnnotatedAssign>) {
          visit(node.target);
          visit_if(node.value, visit);
        } else if constexpr (std::is_same_v<Node, syntax::Return> ||
                             std::is_same_v<Node, syntax::Raise>) {
          visit_if(node.value, visit);
        } else if constexpr (std::is_same_v<Node, syntax::If> ||
                             std::is_same_v<Node, syntax::While>) {
          visit(node.condition);
        } else if constexpr (std::is_same_v<Node, syntax::For>) {
          visit(node.target);
          visit(node.iterable);
        } else if constexpr (std::is_same_v<Node, syntax::With>) {
          for (const syntax::With::Item& item : node.items) {
            visit(item.context);
            visit_if(item.target, visit);
          }
        } else if constexpr (std::is_same_v<Node, syntax::Assert>) {
          visit(node.condition);
          visit_if(node.message, visit);
        } else if constexpr (std::is_same_v<Node, syntax::Delete>) {
          for (const syntax::Expression& target : node.targets) visit(target);
        }
      },
      statement.kind);
}

/// Every statement of a body and of the bodies in it, in the order of the text.
template <class Visit>
void for_each_statement(const syntax::Body& body, const Visit& visit) {
  for (const syntax::Statement& statement : body) {
    visit(statement);
    for_each_body(statement, [&](const syntax::Body& inner) { for_each_statement(inner, visit); });
  }
}

}  // namespace knead::engine::model
