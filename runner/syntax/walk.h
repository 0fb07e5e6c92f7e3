#pragma once

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Calls `visit` with each direct child expression and statement of a node, mostly in the order of
/// the text: the exceptions are Starred arguments behind keywords. Omitted (null) children are
/// skipped. The parts of a node that are not nodes themselves, such as keywords, parameters and
/// replacement fields, pass on the expressions in them, annotations and defaults included.
///
/// `visit` must accept both types. It is called for direct children only and decides itself whether
/// to go deeper. A walk over a whole tree calls for_each_child() again:
///
///   struct CountsNames {
///     int count = 0;
///     void operator()(const Expression& one) {
///       if (std::holds_alternative<Name>(one.kind)) ++count;
///       for_each_child(one, *this);
///     }
///     void operator()(const Statement& one) { for_each_child(one, *this); }
///   };
///
/// A recursive walk needs no depth check: kMostLevels bounds each tree that parse() returns. A new
/// kind of node without an overload here fails to compile.
template <typename Visit>
class Children {
 public:
  /// Borrows `visit`, which must outlive the object. for_each_child() below is shorter to call.
  explicit Children(Visit& visit) : visit_(visit) {}

  void of(const Expression& one) { std::visit(*this, one.kind); }
  void of(const Statement& one) { std::visit(*this, one.kind); }

  void operator()(const Name&) {}
  void operator()(const Constant&) {}
  void operator()(const Integer&) {}
  void operator()(const Float&) {}
  void operator()(const Imaginary&) {}
  void operator()(const String&) {}
  void operator()(const Bytes&) {}
  void operator()(const FString& one) { each(one.parts); }
  void operator()(const List& one) { each(one.items); }
  void operator()(const Tuple& one) { each(one.items); }
  void operator()(const Set& one) { each(one.items); }
  void operator()(const Dict& one) { each(one.items); }
  void operator()(const Unary& one) { each(one.operand); }
  void operator()(const Binary& one) { each(one.left, one.right); }
  void operator()(const Logical& one) { each(one.operands); }
  void operator()(const Comparison& one) { each(one.operands); }
  void operator()(const Starred& one) { each(one.value); }
  void operator()(const Call& one) { each(one.callee, one.arguments, one.keywords); }
  void operator()(const Attribute& one) { each(one.value); }
  void operator()(const Subscript& one) { each(one.value, one.index); }
  void operator()(const Slice& one) { each(one.begin, one.end, one.step); }
  void operator()(const Conditional& one) { each(one.body, one.condition, one.otherwise); }
  void operator()(const Lambda& one) { each(one.parameters, one.body); }
  void operator()(const Comprehension& one) { each(one.element, one.value, one.generators); }
  void operator()(const Walrus& one) { each(one.value); }
  void operator()(const Yield& one) { each(one.value); }
  void operator()(const Await& one) { each(one.value); }

  void operator()(const ExpressionStatement& one) { each(one.value); }
  void operator()(const Assign& one) { each(one.targets, one.value); }
  void operator()(const AugmentedAssign& one) { each(one.target, one.value); }
  void operator()(const AnnotatedAssign& one) { each(one.target, one.annotation, one.value); }
  void operator()(const Return& one) { each(one.value); }
  void operator()(const If& one) { each(one.condition, one.body, one.otherwise); }
  void operator()(const For& one) { each(one.target, one.iterable, one.body, one.otherwise); }
  void operator()(const While& one) { each(one.condition, one.body, one.otherwise); }
  void operator()(const With& one) { each(one.items, one.body); }
  void operator()(const Try& one) { each(one.body, one.handlers, one.otherwise, one.at_the_end); }
  void operator()(const Function& one) {
    each(one.decorators, one.parameters, one.returns, one.body);
  }
  void operator()(const Class& one) { each(one.decorators, one.bases, one.keywords, one.body); }
  void operator()(const Import&) {}
  void operator()(const Declaration&) {}
  void operator()(const Simple&) {}
  void operator()(const Assert& one) { each(one.condition, one.message); }
  void operator()(const Raise& one) { each(one.value, one.cause); }
  void operator()(const Delete& one) { each(one.targets); }

 private:
  template <typename... Parts>
  void each(const Parts&... parts) {
    (part(parts), ...);
  }

  template <typename Item>
  void part(const std::vector<Item>& items) {
    for (const Item& item : items) part(item);
  }

  void part(const Expression& one) { visit_(one); }
  void part(const Statement& one) { visit_(one); }
  void part(const ExpressionPtr& one) {
    if (one) visit_(*one);
  }
  /// The following parts are not nodes; they pass on the expressions in them.
  void part(const Keyword& one) { part(one.value); }
  void part(const DictItem& one) { each(one.key, one.value); }
  void part(const Parameter& one) { each(one.annotation, one.fallback); }
  void part(const Generator& one) { each(one.target, one.iterable, one.conditions); }
  void part(const With::Item& one) { each(one.context, one.target); }
  void part(const Except& one) { each(one.type, one.body); }
  void part(const Replacement& one) { each(one.value, one.spec); }
  void part(const std::variant<std::string, Replacement>& one) {
    if (const auto* value = std::get_if<Replacement>(&one)) part(*value);
  }

  Visit& visit_;
};

/// Calls `visit` with each direct child of `node`, an Expression or a Statement, as Children does.
/// Takes time in proportion to the number of children and allocates nothing.
template <typename Node, typename Visit>
void for_each_child(const Node& node, Visit&& visit) {
  Children<std::remove_reference_t<Visit>>(visit).of(node);
}

}  // namespace knead::syntax
