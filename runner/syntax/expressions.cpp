#include <array>
#include <utility>

#include <fmt/format.h>

#include "runner/syntax/parser.h"

namespace knead::syntax {
namespace {

struct InfixOperator {
  std::string_view text;
  BinaryOperator op;
  int precedence;  // higher binds tighter
};

using Op = BinaryOperator;
// The table has no `**`: it associates to the right and takes a sign in its exponent, see power().
constexpr std::array<InfixOperator, 12> kInfix{{
    {"|", Op::bit_or, 0},
    {"^", Op::bit_xor, 1},
    {"&", Op::bit_and, 2},
    {"<<", Op::shift_left, 3},
    {">>", Op::shift_right, 3},
    {"+", Op::add, 4},
    {"-", Op::subtract, 4},
    {"*", Op::multiply, 5},
    {"/", Op::divide, 5},
    {"//", Op::floor_divide, 5},
    {"%", Op::modulo, 5},
    {"@", Op::matrix_multiply, 5},
}};

const InfixOperator* infix_operator(const Token& token) {
  if (token.kind != Token::Kind::symbol) return nullptr;
  for (const InfixOperator& infix : kInfix) {
    if (infix.text == token.text) return &infix;
  }
  return nullptr;
}

}  // namespace

Expression Parser::tuple_or_one() {
  const std::uint32_t begin = here();
  Expression first = starred_or_one();
  if (!at(",")) return first;
  Expressions items;
  items.push_back(std::move(first));
  while (accept(",") && begins_expression()) items.push_back(starred_or_one());
  return make(begin, Tuple{std::move(items)});
}

Expression Parser::expressions() {
  Expression one = tuple_or_one();
  refuse_starred(one);
  return one;
}

void Parser::refuse_starred(const Expression& expression) const {
  if (!std::holds_alternative<Starred>(expression.kind)) return;
  refuse(expression.range, "a starred expression stands in a list, a tuple or a call",
         "for a tuple of its items, write a comma behind it");
}

Expression Parser::yield_or_tuple() { return at("yield") ? yield_expression() : tuple_or_one(); }

/// The value of `yield` may be a tuple without parentheses, that of `yield from` may not.
Expression Parser::yield_expression() {
  const Nesting nesting(*this);
  const std::uint32_t begin = here();
  take();
  Yield made;
  made.is_from = accept("from");
  if (made.is_from) {
    made.value = boxed(expression());
  } else if (begins_expression()) {
    made.value = boxed(expressions());
  }
  return make(begin, std::move(made));
}

/// `await` binds tighter than any operator, and its value is neither a sign nor another `await`.
Expression Parser::await_expression() {
  const std::uint32_t begin = here();
  expect("await");
  ExpressionPtr value = boxed(primary());
  return make(begin, Await{std::move(value)});
}

Expression Parser::starred() {
  const Nesting nesting(*this);
  const std::uint32_t begin = here();
  expect("*");
  ExpressionPtr value = boxed(bitwise());
  return make(begin, Starred{std::move(value)});
}

Expression Parser::starred_or_one() { return at("*") ? starred() : expression(); }
Expression Parser::starred_or_named() { return at("*") ? starred() : named_expression(); }

Expression Parser::named_expression() {
  const std::uint32_t begin = here();
  if (at(Token::Kind::name) && peek(1).is(":=")) {
    const Nesting nesting(*this);
    std::string target(take().text);
    take();
    ExpressionPtr value = boxed(expression());
    return make(begin, Walrus{std::move(target), std::move(value)});
  }
  Expression value = expression();
  if (at(":=")) {
    refuse(value.range, fmt::format("':=' assigns to a name, not to {}", syntax::in_words(value)));
  }
  return value;
}

/// Parses `a if b else c` and everything that binds tighter.
Expression Parser::expression() {
  const Nesting nesting(*this);
  if (at("lambda")) return lambda();
  const std::uint32_t begin = here();
  Expression body = disjunction();
  if (!accept("if")) return body;
  Expression condition = disjunction();
  if (!at("else")) unexpected("'else' for the 'if' before");
  take();
  ExpressionPtr otherwise = boxed(expression());
  return make(begin, Conditional{boxed(std::move(condition)), boxed(std::move(body)),
                                 std::move(otherwise)});
}

Expression Parser::lambda() {
  const std::uint32_t begin = here();
  take();
  std::vector<Parameter> taken = parameters(":", false);
  if (at(Token::Kind::end) && in_f_string_) {
    refuse(since(begin), "a lambda in an f-string needs parentheses");
  }
  expect(":");
  const Surroundings outer = std::exchange(surroundings_, {.in_function = true});
  ExpressionPtr body = boxed(expression());
  surroundings_ = outer;
  return make(begin, Lambda{std::move(taken), std::move(body)});
}

Expression Parser::logical(bool is_and) {
  const std::uint32_t begin = here();
  const auto operand = [&] { return is_and ? inversion() : logical(true); };
  Expressions operands;
  operands.push_back(operand());
  while (accept(is_and ? "and" : "or")) operands.push_back(operand());
  if (operands.size() == 1) return std::move(operands[0]);
  return make(begin, Logical{is_and, std::move(operands)});
}

Expression Parser::inversion() {
  if (!at("not")) return comparison();
  const Nesting nesting(*this);
  const std::uint32_t begin = here();
  take();
  ExpressionPtr operand = boxed(inversion());
  return make(begin, Unary{UnaryOperator::not_, std::move(operand)});
}

Expression Parser::comparison() {
  const std::uint32_t begin = here();
  Expressions operands;
  std::vector<ComparisonOperator> operators;
  operands.push_back(bitwise());
  while (const auto op = accept_comparison()) {
    operators.push_back(*op);
    operands.push_back(bitwise());
  }
  if (operators.empty()) return std::move(operands[0]);
  return make(begin, Comparison{std::move(operands), std::move(operators)});
}

std::optional<ComparisonOperator> Parser::accept_comparison() {
  using Compare = ComparisonOperator;
  static constexpr std::array<std::pair<std::string_view, Compare>, 7> kOperators{{
      {"==", Compare::equal},
      {"!=", Compare::not_equal},
      {"<", Compare::less},
      {"<=", Compare::less_equal},
      {">", Compare::greater},
      {">=", Compare::greater_equal},
      {"in", Compare::in},
  }};
  for (const auto& [text, op] : kOperators) {
    if (accept(text)) return op;
  }
  if (at("<>")) refuse(peek().range, "'<>' is no operator", "write '!='");
  if (accept("is")) return accept("not") ? Compare::is_not : Compare::is;
  if (!at("not") || !peek(1).is("in")) return std::nullopt;
  take();
  take();
  return Compare::not_in;
}

/// Precedence climbing; operators of equal precedence associate to the left.
Expression Parser::binary(int least) {
  const std::uint32_t begin = here();
  Expression left = unary();
  const InfixOperator* infix = infix_operator(peek());
  while (infix && infix->precedence >= least) {
    take();
    ExpressionPtr right = boxed(binary(infix->precedence + 1));
    left = make(begin, Binary{boxed(std::move(left)), infix->op, std::move(right)});
    infix = infix_operator(peek());
  }
  return left;
}

Expression Parser::unary() {
  const auto sign = at("-")   ? std::optional(UnaryOperator::minus)
                    : at("+") ? std::optional(UnaryOperator::plus)
                    : at("~") ? std::optional(UnaryOperator::invert)
                              : std::nullopt;
  if (!sign) return power();
  const Nesting nesting(*this);
  const std::uint32_t begin = here();
  take();
  ExpressionPtr operand = boxed(unary());
  return make(begin, Unary{*sign, std::move(operand)});
}

/// `**` binds tighter than a sign on its left, and associates to the right.
Expression Parser::power() {
  const std::uint32_t begin = here();
  Expression value = at("await") ? await_expression() : primary();
  if (!at("**")) return value;
  const Nesting nesting(*this);
  take();
  ExpressionPtr exponent = boxed(unary());
  return make(begin, Binary{boxed(std::move(value)), BinaryOperator::power, std::move(exponent)});
}

bool Parser::begins_expression() {
  const Token& token = peek();
  switch (token.kind) {
    case Token::Kind::name:
    case Token::Kind::number:
    case Token::Kind::string: return true;
    case Token::Kind::symbol: break;
    case Token::Kind::keyword:
      // A `yield` needs parentheses here, but reading on reaches the message that says so.
      return token.is("None") || token.is("True") || token.is("False") || token.is("not") ||
             token.is("lambda") || token.is("await") || token.is("yield");
    default: return false;
  }
  static constexpr std::array<std::string_view, 8> kSymbols{"(", "[", "{",   "-",
                                                            "+", "~", "...", "*"};
  for (const std::string_view symbol : kSymbols) {
    if (token.text == symbol) return true;
  }
  return false;
}

}  // namespace knead::syntax
