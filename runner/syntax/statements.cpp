#include <array>
#include <utility>

#include <fmt/format.h>

#include "runner/syntax/parser.h"

namespace knead::syntax {
namespace {

/// Returns whether an expression can hold a single value.
bool is_place(const Expression& expression) {
  return std::holds_alternative<Name>(expression.kind) ||
         std::holds_alternative<Attribute>(expression.kind) ||
         std::holds_alternative<Subscript>(expression.kind);
}

std::optional<BinaryOperator> augmented_operator(const Token& token) {
  using Op = BinaryOperator;
  static constexpr std::array<std::pair<std::string_view, Op>, 13> kOperators{{
      {"+=", Op::add},
      {"-=", Op::subtract},
      {"*=", Op::multiply},
      {"@=", Op::matrix_multiply},
      {"/=", Op::divide},
      {"//=", Op::floor_divide},
      {"%=", Op::modulo},
      {"**=", Op::power},
      {"<<=", Op::shift_left},
      {">>=", Op::shift_right},
      {"&=", Op::bit_and},
      {"|=", Op::bit_or},
      {"^=", Op::bit_xor},
  }};
  for (const auto& [text, op] : kOperators) {
    if (token.is(text)) return op;
  }
  return std::nullopt;
}

}  // namespace

bool begins_block(const Token& token) {
  static constexpr std::array<std::string_view, 9> kWords{"if",  "for",   "while", "with", "try",
                                                          "def", "class", "async", "@"};
  for (const std::string_view word : kWords) {
    if (token.is(word)) return true;
  }
  return false;
}

void Parser::statement(Body& body) {
  if (at(Token::Kind::indent)) refuse(peek(1).range, "unexpected indent");
  if (!begins_block(peek())) {
    simple_statements(body);
    return;
  }
  const Nesting nesting(*this);
  std::uint32_t begin = here();
  Statement::Kind kind = compound_statement(begin);
  body.push_back({since(begin), std::move(kind)});
}

/// Parses all statements of one line: `a; b`.
void Parser::simple_statements(Body& body) {
  do {
    const std::uint32_t begin = here();
    Statement::Kind kind = simple_statement();
    body.push_back({since(begin), std::move(kind)});
  } while (accept(";") && !at(Token::Kind::newline));
  if (!at(Token::Kind::newline)) refuse_line();
  take();
}

void Parser::refuse_line() {
  if (at("=")) refuse(peek().range, "'=' is not expected here", "to compare, write '=='");
  const Token::Kind kind = peek().kind;
  const bool is_value =
      kind == Token::Kind::name || kind == Token::Kind::string || kind == Token::Kind::number;
  if (!is_value) unexpected();
  // `print x` is a statement of Python 2.
  if (last_text_ == "print") refuse(peek().range, "print is a function", "write print(…)");
  const std::string keyword =
      near_keyword(first_word(source_->line(source_->line_of(peek().range.begin))));
  refuse(peek().range, fmt::format("{} is not expected here", in_words(peek())),
         keyword.empty() ? "an operator, a comma or the end of the line is missing before it"
                         : fmt::format("did you mean '{}'?", keyword));
}

Statement::Kind Parser::simple_statement() {
  const Token& token = peek();
  if (token.kind == Token::Kind::keyword) {
    if (token.is("return")) return return_statement();
    if (token.is("import")) return import_statement();
    if (token.is("from")) return from_import();
    if (token.is("assert")) return assert_statement();
    if (token.is("raise")) return raise_statement();
    if (token.is("del")) return delete_statement();
    if (token.is("global") || token.is("nonlocal")) return declaration();
    if (token.is("break") || token.is("continue")) return loop_exit();
    if (accept("pass")) return Simple::pass;
    refuse_word_of_block();
  }
  refuse_match();
  return expression_statement();
}

Statement::Kind Parser::expression_statement() {
  Expression first = yield_or_tuple();
  if (at("=")) return assignment(std::move(first));
  if (at(":")) return annotated_assignment(std::move(first));
  if (const auto op = augmented_operator(peek())) {
    return augmented_assignment(std::move(first), *op);
  }
  if (at(":=")) refuse(peek().range, "':=' stands in parentheses", "write '=' for an assignment");
  refuse_starred(first);
  return ExpressionStatement{std::move(first)};
}

/// Parses `a = b = value`. Each expression is a target once another '=' follows.
Statement::Kind Parser::assignment(Expression first) {
  Assign assign{{}, std::move(first)};
  while (accept("=")) {
    check_target(assign.value, Use::assigned);
    assign.targets.push_back(std::move(assign.value));
    assign.value = yield_or_tuple();
  }
  refuse_starred(assign.value);
  return assign;
}

Statement::Kind Parser::annotated_assignment(Expression target) {
  if (!is_place(target)) {
    // `forward(self, x):` is a definition without its keyword.
    const bool may_be_def = std::holds_alternative<Call>(target.kind);
    refuse(peek().range, "':' is not expected here",
           may_be_def ? "to define a function, write 'def' before it"
                      : fmt::format("an annotation is for one name, not for {}",
                                    syntax::in_words(target)));
  }
  take();
  Expression annotation = expression();
  ExpressionPtr value;
  if (accept("=")) {
    Expression written = yield_or_tuple();
    refuse_starred(written);
    value = boxed(std::move(written));
  }
  return AnnotatedAssign{std::move(target), std::move(annotation), std::move(value)};
}

Statement::Kind Parser::augmented_assignment(Expression target, BinaryOperator op) {
  const Token token = peek();
  if (!is_place(target)) {
    refuse(target.range,
           fmt::format("'{}' cannot change {}", token.text, syntax::in_words(target)));
  }
  take();
  Expression value = yield_or_tuple();
  refuse_starred(value);
  return AugmentedAssign{std::move(target), op, std::move(value)};
}

Statement::Kind Parser::return_statement() {
  const Token word = take();
  if (!surroundings_.in_function) refuse(word.range, "'return' outside of a function");
  if (surroundings_.in_group_block) refuse_leaving_groups(word);
  if (at(Token::Kind::newline) || at(";")) return Return{};
  return Return{boxed(expressions())};
}

Statement::Kind Parser::assert_statement() {
  take();
  Expression condition = expression();
  ExpressionPtr message;
  if (accept(",")) message = boxed(expression());
  return Assert{std::move(condition), std::move(message)};
}

Statement::Kind Parser::raise_statement() {
  take();
  if (at(Token::Kind::newline) || at(";")) return Raise{};
  ExpressionPtr value = boxed(expression());
  ExpressionPtr cause;
  if (accept("from")) cause = boxed(expression());
  return Raise{std::move(value), std::move(cause)};
}

Statement::Kind Parser::delete_statement() {
  take();
  Delete statement;
  do {
    statement.targets.push_back(bitwise());
    check_target(statement.targets.back(), Use::deleted);
  } while (accept(",") && !at(Token::Kind::newline) && !at(";"));
  return statement;
}

/// Parses `global a, b` or `nonlocal a, b`.
Statement::Kind Parser::declaration() {
  const Token word = take();
  Declaration declared;
  declared.is_global = word.is("global");
  do {
    declared.names.push_back(name("a name").text);
  } while (accept(","));
  if (at("=")) {
    refuse(peek().range, fmt::format("'{}' gives no value to a name", word.text),
           "write the assignment in a line of its own");
  }
  return declared;
}

Statement::Kind Parser::loop_exit() {
  const Token word = take();
  if (!surroundings_.in_loop) {
    if (surroundings_.in_group_block) refuse_leaving_groups(word);
    refuse(word.range, fmt::format("'{}' outside of a loop", word.text));
  }
  return word.is("break") ? Simple::break_ : Simple::continue_;
}

}  // namespace knead::syntax
