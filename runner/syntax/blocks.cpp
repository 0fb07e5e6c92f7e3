#include <utility>

#include <fmt/format.h>

#include "runner/syntax/parser.h"

namespace knead::syntax {
namespace {

std::string block_in_words(const Token& owner) {
  if (owner.is("def")) return "function definition";
  if (owner.is("class")) return "class definition";
  return fmt::format("'{}' statement", owner.text);
}

}  // namespace

/// Parses a statement with a block. Moves `begin` behind the decorators, where the statement
/// begins.
Statement::Kind Parser::compound_statement(std::uint32_t& begin) {
  std::vector<Expression> decorators;
  while (accept("@")) {
    decorators.push_back(named_expression());
    if (!at(Token::Kind::newline)) unexpected("the end of the line");
    take();
  }
  begin = here();
  const bool is_async = accept("async");
  if (at("def")) return function(std::move(decorators), is_async);
  if (at("class") && !is_async) return class_definition(std::move(decorators));
  if (!decorators.empty()) unexpected(is_async ? "'def'" : "'def' or 'class'");
  if (at("for")) return for_statement(is_async);
  if (at("with")) return with_statement(is_async);
  if (is_async) unexpected("'def', 'for' or 'with'");
  if (at("if")) return if_statement("if");
  if (at("while")) return while_statement();
  return try_statement();
}

Body Parser::block(const Token& owner, Surroundings surroundings) {
  if (at("=")) refuse(peek().range, "'=' is not expected here", "to compare, write '=='");
  expect(":");
  const Surroundings outer = std::exchange(surroundings_, surroundings);
  Body body;
  if (!at(Token::Kind::newline)) {
    if (begins_block(peek())) {
      refuse(peek().range, fmt::format("'{}' begins a line of its own", peek().text));
    }
    simple_statements(body);
  } else {
    take();
    if (!at(Token::Kind::indent)) {
      refuse(peek().range, fmt::format("expected an indented block after {} on line {}",
                                       block_in_words(owner), source_->line_of(owner.range.begin)));
    }
    take();
    while (!at(Token::Kind::dedent)) statement(body);
    take();
  }
  surroundings_ = outer;
  return body;
}

If Parser::if_statement(std::string_view word) {
  const Token owner = peek();
  expect(word);
  Expression condition = named_expression();
  Body body = block(owner, surroundings_);
  const std::uint32_t begin = here();
  if (!at("elif")) return If{std::move(condition), std::move(body), otherwise()};
  const Nesting nesting(*this);
  // A chain of `elif` is flat in the text and deep in the tree, hence the level of nesting above.
  If below = if_statement("elif");
  Body otherwise;
  otherwise.push_back({since(begin), std::move(below)});
  return If{std::move(condition), std::move(body), std::move(otherwise)};
}

/// Parses `else:` if it is present.
Body Parser::otherwise() {
  if (!at("else")) return {};
  const Token owner = take();
  if (at("if")) refuse(peek().range, "expected ':', not 'if'", "write 'elif'");
  return block(owner, surroundings_);
}

For Parser::for_statement(bool is_async) {
  const Token owner = take();
  Expression target = loop_target();
  expect("in");
  Expression iterable = expressions();
  Body body = block(owner, in_loop());
  return For{std::move(target), std::move(iterable), std::move(body), otherwise(), is_async};
}

While Parser::while_statement() {
  const Token owner = take();
  Expression condition = named_expression();
  Body body = block(owner, in_loop());
  return While{std::move(condition), std::move(body), otherwise()};
}

Parser::Surroundings Parser::in_loop() const {
  Surroundings inner = surroundings_;
  inner.in_loop = true;
  return inner;
}

With Parser::with_statement(bool is_async) {
  const Token owner = take();
  With with;
  with.is_async = is_async;
  const bool in_parentheses = has_items_in_parentheses();
  if (in_parentheses) take();
  do {
    with.items.push_back(with_item());
  } while (accept(",") && !(in_parentheses && at(")")));
  if (in_parentheses) expect_closing(")");
  with.body = block(owner, surroundings_);
  return with;
}

With::Item Parser::with_item() {
  Expression context = expression();
  if (!accept("as")) return {std::move(context), nullptr};
  Expression target = bitwise();
  check_target(target, Use::context);
  return {std::move(context), boxed(std::move(target))};
}

/// `with (a, b):` has two items, but `with (a, b) as c:` has one. A ':' directly after the closing
/// parenthesis tells them apart.
bool Parser::has_items_in_parentheses() {
  if (!at("(") || peek(1).is(")")) return false;
  int open = 1;
  std::size_t ahead = 1;
  for (; open > 0; ++ahead) {
    const Token& token = peek(ahead);
    if (token.kind == Token::Kind::end) return false;
    const bool first = peek(ahead - 1).is("(") || peek(ahead - 1).is(",");
    if (open == 1 && (token.is("for") || token.is(":=") || token.is("yield"))) return false;
    if (open == 1 && first && token.is("*")) return false;
    if (token.is("(") || token.is("[") || token.is("{")) ++open;
    if (token.is(")") || token.is("]") || token.is("}")) --open;
  }
  return peek(ahead).is(":");
}

Function Parser::function(std::vector<Expression> decorators, bool is_async) {
  const Token owner = take();
  const WrittenName named = name("the name of a function");
  expect("(");
  std::vector<Parameter> taken = parameters(")", true);
  expect_closing(")");
  ExpressionPtr returns;
  if (accept("->")) returns = boxed(expression());
  Body body = block(owner, {.in_function = true});
  return Function{named.text,       named.range,        std::move(decorators),
                  std::move(taken), std::move(returns), std::move(body),
                  is_async};
}

Class Parser::class_definition(std::vector<Expression> decorators) {
  const Token owner = take();
  const WrittenName named = name("the name of a class");
  Expressions bases;
  std::vector<Keyword> keywords;
  if (accept("(")) {
    arguments(bases, keywords);
    expect_closing(")");
  }
  Body body = block(owner, {.in_class = true});
  return Class{named.text,       named.range,         std::move(decorators),
               std::move(bases), std::move(keywords), std::move(body)};
}

Try Parser::try_statement() {
  const Token owner = peek();
  expect("try");
  Try made;
  made.body = block(owner, surroundings_);
  while (at("except")) except_block(made);
  if (made.handlers.empty() && !at("finally")) unexpected("'except' or 'finally'");
  if (!made.handlers.empty()) made.otherwise = otherwise();
  if (at("except")) refuse(peek().range, "'except' comes before 'else'");
  if (!at("finally")) return made;
  const Token last = take();
  made.at_the_end = block(last, surroundings_);
  if (at("except") || at("else")) {
    refuse(peek().range, fmt::format("'{}' comes before 'finally'", peek().text));
  }
  return made;
}

void Parser::except_block(Try& made) {
  Token word = take();
  const std::uint32_t begin = word.range.begin;
  const bool takes_groups = accept("*");
  if (takes_groups) word.text = "except*";
  if (!made.handlers.empty() && takes_groups != made.takes_groups) {
    refuse(since(begin), "'except' and 'except*' cannot belong to the same 'try'");
  }
  if (!made.handlers.empty() && !made.handlers.back().type) {
    const std::uint32_t first = made.handlers.back().range.begin;
    refuse({first, first + static_cast<std::uint32_t>(word.text.size())},
           "an 'except:' without a type comes last");
  }
  made.takes_groups = takes_groups;
  Except taken;
  if (takes_groups && at(":")) {
    refuse(peek().range, "'except*' needs a type of exceptions", "write 'except* Exception:'");
  }
  if (!at(":")) {
    const std::uint32_t types = here();
    taken.type = boxed(expression());
    if (at(",")) refuse_types(types);
    if (accept("as")) {
      WrittenName named = name("a name");
      taken.name = std::move(named.text);
      taken.name_range = named.range;
    }
  }
  Surroundings inside = surroundings_;
  if (takes_groups) {
    inside.in_group_block = true;
    inside.in_loop = false;
  }
  taken.body = block(word, inside);
  taken.range = since(begin);
  made.handlers.push_back(std::move(taken));
}

/// In Python 2 `except A, e:` meant `except A as e:`, so the remedy offers both.
void Parser::refuse_types(std::uint32_t begin) {
  while (accept(",") && begins_expression()) expression();
  refuse(since(begin), "several types of exceptions need parentheses",
         "write 'except (A, B):' for two types, 'except A as b:' for a name");
}

void Parser::refuse_leaving_groups(const Token& word) const {
  refuse(word.range, fmt::format("'{}' cannot leave the block of an 'except*'", word.text));
}

/// `match` and `type` are also names; the following tokens decide.
void Parser::refuse_match() {
  if (!at(Token::Kind::name)) return;
  const Token word = peek();
  const Token& next = peek(1);
  if (word.text == "type" && next.kind == Token::Kind::name && peek(2).is("=")) {
    leave_out(word.range, "'type NAME =' is", "write NAME = TYPE");
  }
  if (word.text != "match" || next.kind == Token::Kind::newline || next.is("=") || next.is(".")) {
    return;
  }
  std::size_t ahead = 1;
  while (peek(ahead).kind != Token::Kind::newline && peek(ahead).kind != Token::Kind::end) ++ahead;
  const bool is_match = peek(ahead - 1).is(":") && peek(ahead + 1).kind == Token::Kind::indent &&
                        peek(ahead + 2).text == "case";
  if (is_match) leave_out(word.range, "'match' is", "write if, elif and else");
}

}  // namespace knead::syntax
