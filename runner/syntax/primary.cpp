#include <fmt/format.h>

#include "runner/syntax/numbers.h"
#include "runner/syntax/parser.h"

namespace knead::syntax {

Expression Parser::primary() {
  const std::uint32_t begin = here();
  Expression value = atom();
  for (;;) {
    if (accept(".")) {
      WrittenName named = name("the name of an attribute");
      value = make(begin, Attribute{boxed(std::move(value)), std::move(named.text), named.range});
    } else if (at("(")) {
      value = call(begin, std::move(value));
    } else if (at("[")) {
      value = subscript(begin, std::move(value));
    } else {
      return value;
    }
  }
}

Expression Parser::subscript(std::uint32_t begin, Expression value) {
  expect("[");
  const std::uint32_t inside = here();
  const bool is_starred = at("*");
  Expression first = index();
  if (at(",") || is_starred) {
    Expressions items;
    items.push_back(std::move(first));
    while (accept(",") && !at("]")) items.push_back(index());
    first = make(inside, Tuple{std::move(items)});
  }
  expect_closing("]");
  return make(begin, Subscript{boxed(std::move(value)), boxed(std::move(first))});
}

/// Parses `a`, `*a`, or a slice `a:b:c` with any part omitted.
Expression Parser::index() {
  const std::uint32_t begin = here();
  if (at("*")) return starred_argument();
  Slice slice;
  if (!at(":")) {
    Expression value = named_expression();
    // A slice cannot begin with `name := value` unless it is in parentheses.
    const bool is_bare_walrus =
        std::holds_alternative<Walrus>(value.kind) && value.range.begin == begin;
    if (!at(":") || is_bare_walrus) return value;
    slice.begin = boxed(std::move(value));
  }
  const auto part = [&]() -> ExpressionPtr {
    if (at(":") || at(",") || at("]")) return nullptr;
    return boxed(expression());
  };
  expect(":");
  slice.end = part();
  if (accept(":")) slice.step = part();
  return make(begin, std::move(slice));
}

Expression Parser::atom() {
  const Token token = peek();
  const auto constant = [&](Constant value) {
    take();
    return make(token.range.begin, value);
  };
  switch (token.kind) {
    case Token::Kind::name: take(); return make(token.range.begin, Name{std::string(token.text)});
    case Token::Kind::number: return number();
    case Token::Kind::string: return strings();
    default: break;
  }
  if (token.is("None")) return constant(Constant::none);
  if (token.is("True")) return constant(Constant::true_);
  if (token.is("False")) return constant(Constant::false_);
  if (token.is("...")) return constant(Constant::ellipsis);
  if (token.is("(")) return parenthesised();
  if (token.is("[")) return list();
  if (token.is("{")) return braces();
  // `&&` and `||` are two symbols to the tokenizer.
  if (token.text == last_text_ && (token.is("&") || token.is("|"))) {
    refuse(token.range, fmt::format("'{0}{0}' is no operator", token.text),
           token.is("&") ? "write 'and'" : "write 'or'");
  }
  if (token.is("yield")) {
    refuse(token.range, "'yield' needs parentheses inside of another expression",
           "write '(yield …)'");
  }
  unexpected("an expression");
}

Expression Parser::number() {
  const Token token = take();
  return make(token.range.begin, number_value(token.text));
}

/// Parses `()`, `(a)`, `(a,)`, `(a for a in b)` or `(yield a)`.
Expression Parser::parenthesised() {
  const std::uint32_t begin = here();
  expect("(");
  if (accept(")")) return make(begin, Tuple{{}, true});
  if (at("yield")) {
    Expression yielded = yield_expression();
    expect(")");
    return yielded;
  }
  Expression first = starred_or_named();
  if (at_generator()) {
    return comprehension(begin, Comprehension::Kind::generator, boxed(std::move(first)), nullptr,
                         ")");
  }
  if (at(",")) return make(begin, Tuple{items(std::move(first), ")"), true});
  refuse_starred(first);
  expect_closing(")");
  return first;
}

Expression Parser::list() {
  const std::uint32_t begin = here();
  expect("[");
  if (accept("]")) return make(begin, List{});
  Expression first = starred_or_named();
  if (at_generator()) {
    return comprehension(begin, Comprehension::Kind::list, boxed(std::move(first)), nullptr, "]");
  }
  return make(begin, List{items(std::move(first), "]")});
}

/// Parses a set, a dict or a comprehension of them.
Expression Parser::braces() {
  const std::uint32_t begin = here();
  expect("{");
  if (accept("}")) return make(begin, Dict{});
  if (at("**")) return dict(begin, dict_item());
  const std::uint32_t inside = here();
  Expression first = starred_or_named();
  const bool is_bare = first.range.begin == inside;
  // A key of a dict cannot be `*value`, nor `name := value` without parentheses.
  const bool is_no_key = is_bare && (std::holds_alternative<Starred>(first.kind) ||
                                     std::holds_alternative<Walrus>(first.kind));
  if (at(":") && !is_no_key) {
    take();
    return dict(begin, {boxed(std::move(first)), boxed(expression())});
  }
  if (at_generator()) {
    return comprehension(begin, Comprehension::Kind::set, boxed(std::move(first)), nullptr, "}");
  }
  return make(begin, Set{items(std::move(first), "}")});
}

Expression Parser::dict(std::uint32_t begin, DictItem first) {
  if (at_generator()) {
    if (!first.key) refuse(first.value->range, "'**' cannot stand in a dict comprehension");
    return comprehension(begin, Comprehension::Kind::dict, std::move(first.key),
                         std::move(first.value), "}");
  }
  Dict made;
  made.items.push_back(std::move(first));
  while (accept(",") && !at("}")) made.items.push_back(dict_item());
  expect_closing("}");
  return make(begin, std::move(made));
}

DictItem Parser::dict_item() {
  const Nesting nesting(*this);
  if (accept("**")) return {nullptr, boxed(bitwise())};
  ExpressionPtr key = boxed(expression());
  if (!at(":")) unexpected("':' and a value");
  take();
  return {std::move(key), boxed(expression())};
}

Expressions Parser::items(Expression first, std::string_view closing) {
  Expressions all;
  all.push_back(std::move(first));
  while (accept(",") && !at(closing)) all.push_back(starred_or_named());
  expect_closing(closing);
  return all;
}

Expression Parser::comprehension(std::uint32_t begin, Comprehension::Kind kind,
                                 ExpressionPtr element, ExpressionPtr value,
                                 std::string_view closing) {
  if (std::holds_alternative<Starred>(element->kind)) {
    refuse(element->range, "a starred expression cannot be the element of a comprehension");
  }
  std::vector<Generator> loops = generators();
  expect(closing);
  return make(begin, Comprehension{kind, std::move(element), std::move(value), std::move(loops)});
}

/// Parses `for a in b if c async for …`.
std::vector<Generator> Parser::generators() {
  std::vector<Generator> loops;
  while (at_generator()) {
    Generator loop;
    loop.is_async = accept("async");
    expect("for");
    loop.target = boxed(loop_target());
    expect("in");
    loop.iterable = boxed(disjunction());
    while (accept("if")) loop.conditions.push_back(disjunction());
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace knead::syntax
