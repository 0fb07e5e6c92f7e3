#include <algorithm>

#include <fmt/format.h>

#include "runner/syntax/parser.h"

namespace knead::syntax {
namespace {

/// Describes each kind of expression for messages.
struct InWords {
  std::string_view operator()(const Name&) const { return "a name"; }
  std::string_view operator()(Constant constant) const {
    switch (constant) {
      case Constant::none: return "None";
      case Constant::true_: return "True";
      case Constant::false_: return "False";
      case Constant::ellipsis: return "'...'";
    }
    return "";
  }
  std::string_view operator()(const Integer&) const { return "a number"; }
  std::string_view operator()(const Float&) const { return "a number"; }
  std::string_view operator()(const Imaginary&) const { return "a number"; }
  std::string_view operator()(const String&) const { return "a string"; }
  std::string_view operator()(const Bytes&) const { return "bytes"; }
  std::string_view operator()(const FString&) const { return "an f-string"; }
  std::string_view operator()(const List&) const { return "a list"; }
  std::string_view operator()(const Tuple&) const { return "a tuple"; }
  std::string_view operator()(const Set&) const { return "a set"; }
  std::string_view operator()(const Dict&) const { return "a dict"; }
  std::string_view operator()(const Unary&) const { return "an expression"; }
  std::string_view operator()(const Binary&) const { return "an expression"; }
  std::string_view operator()(const Logical&) const { return "an expression"; }
  std::string_view operator()(const Comparison&) const { return "a comparison"; }
  std::string_view operator()(const Starred&) const { return "a starred expression"; }
  std::string_view operator()(const Call&) const { return "a call"; }
  std::string_view operator()(const Attribute&) const { return "an attribute"; }
  std::string_view operator()(const Subscript&) const { return "an item"; }
  std::string_view operator()(const Slice&) const { return "a slice"; }
  std::string_view operator()(const Conditional&) const { return "a conditional expression"; }
  std::string_view operator()(const Lambda&) const { return "a lambda"; }
  std::string_view operator()(const Comprehension& comprehension) const {
    switch (comprehension.kind) {
      case Comprehension::Kind::list: return "a list comprehension";
      case Comprehension::Kind::set: return "a set comprehension";
      case Comprehension::Kind::dict: return "a dict comprehension";
      case Comprehension::Kind::generator: return "a generator";
    }
    return "";
  }
  std::string_view operator()(const Walrus&) const { return "an assignment expression"; }
  std::string_view operator()(const Yield&) const { return "a yield expression"; }
  std::string_view operator()(const Await&) const { return "an await expression"; }
};

}  // namespace

std::string_view in_words(const Expression& expression) {
  return std::visit(InWords{}, expression.kind);
}

void Parser::check_target(const Expression& target, Use use) const {
  const auto* tuple = std::get_if<Tuple>(&target.kind);
  const auto* list = std::get_if<List>(&target.kind);
  if (tuple || list) {
    check_targets(tuple ? tuple->items : list->items, use);
    return;
  }
  if (std::holds_alternative<Starred>(target.kind)) {
    if (use == Use::deleted) refuse(target.range, "cannot delete a starred expression");
    refuse(target.range, "a starred target stands in a list or tuple");
  }
  const auto* name = std::get_if<Name>(&target.kind);
  const bool fits = name || std::holds_alternative<Attribute>(target.kind) ||
                    std::holds_alternative<Subscript>(target.kind);
  if (fits) return;
  const bool is_deleted = use == Use::deleted;
  // `f(x) = 1` may be meant as a comparison, `None = x` hardly.
  const bool may_be_meant = use == Use::assigned && !std::holds_alternative<Constant>(target.kind);
  refuse(target.range,
         fmt::format("cannot {} {}", is_deleted ? "delete" : "assign to", syntax::in_words(target)),
         may_be_meant ? "to compare, write '=='" : "");
}

void Parser::check_targets(const Expressions& targets, Use use) const {
  bool has_star = false;
  for (const Expression& target : targets) {
    const auto* star = std::get_if<Starred>(&target.kind);
    if (!star || use == Use::deleted) {
      check_target(target, use);
      continue;
    }
    if (has_star) refuse(target.range, "only one starred target can stand in an assignment");
    has_star = true;
    check_target(*star->value, use);
  }
}

/// Parses the target of a `for`. It stops before `in`, which a comparison would consume.
Expression Parser::loop_target() {
  const std::uint32_t begin = here();
  const auto one = [&] { return at("*") ? starred() : bitwise(); };
  Expression target = one();
  if (at(",")) {
    Expressions items;
    items.push_back(std::move(target));
    while (accept(",") && !at("in")) items.push_back(one());
    target = make(begin, Tuple{std::move(items)});
  }
  check_target(target, Use::looped);
  return target;
}

}  // namespace knead::syntax
