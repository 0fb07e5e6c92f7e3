#include "runner/syntax/parser.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/syntax/levels.h"
#include "runner/syntax/refusal.h"

namespace knead::syntax {

Parser::Parser(std::shared_ptr<const schema::Source> source)
    : source_(source), tokens_(std::move(source)) {}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (parser.depth_ >= kMostLevels) {
    parser.refuse(parser.peek().range, fmt::format("more than {} levels of nesting", kMostLevels),
                  "give a part of it a name of its own");
  }
  ++parser.depth_;
}

Body Parser::file() {
  Body body;
  while (!at(Token::Kind::end)) statement(body);
  return body;
}

Token Parser::take() {
  const Token token = tokens_.take();
  // Newlines, indents and dedents have no text and do not extend the range of a node.
  if (!token.text.empty()) {
    last_end_ = token.range.end;
    last_text_ = token.text;
  }
  return token;
}

bool Parser::accept(std::string_view symbol_or_keyword) {
  if (!at(symbol_or_keyword)) return false;
  take();
  return true;
}

void Parser::expect(std::string_view symbol_or_keyword) {
  if (!accept(symbol_or_keyword)) unexpected(fmt::format("'{}'", symbol_or_keyword));
}

void Parser::expect_closing(std::string_view symbol) {
  // A comma is forgotten as easily as a bracket, so the message offers both.
  if (!accept(symbol)) unexpected(fmt::format("',' or '{}'", symbol));
}

WrittenName Parser::name(std::string_view meant) {
  if (!at(Token::Kind::name)) unexpected(meant);
  const Token token = take();
  return {std::string(token.text), token.range};
}

Expression Parser::make(std::uint32_t begin, Expression::Kind kind) {
  Expression made{since(begin), std::move(kind)};
  made.levels = 1 + levels_below(made);
  // A chain such as a.b.c.d is deep in the tree, although a loop parses it without Nesting.
  if (made.levels > kMostLevels) {
    refuse(made.range, fmt::format("more than {} levels of nesting", kMostLevels),
           "give a part of it a name of its own");
  }
  return made;
}

ExpressionPtr Parser::boxed(Expression expression) const {
  return std::make_unique<const Expression>(std::move(expression));
}

}  // namespace knead::syntax
