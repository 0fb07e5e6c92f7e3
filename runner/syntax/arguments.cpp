#include <algorithm>

#include <fmt/format.h>

#include "runner/syntax/parser.h"

namespace knead::syntax {

Expression Parser::call(std::uint32_t begin, Expression callee) {
  Call call{boxed(std::move(callee)), {}, {}};
  const std::uint32_t open = here();
  expect("(");
  arguments(call.arguments, call.keywords);
  if (at_generator() && !call.arguments.empty()) {
    // The argument is the element of a generator; Python allows this only without other arguments.
    const bool is_alone = call.arguments.size() == 1 && call.keywords.empty();
    ExpressionPtr element = boxed(std::move(call.arguments.back()));
    std::vector<Generator> loops = generators();
    if (!is_alone || at(",")) {
      refuse(since(element->range.begin), "a generator beside other arguments needs parentheses");
    }
    expect(")");
    call.arguments.back() =
        make(open, Comprehension{Comprehension::Kind::generator, std::move(element), nullptr,
                                 std::move(loops)});
  } else {
    expect_closing(")");
  }
  return make(begin, std::move(call));
}

/// Parses the arguments in the parentheses of a call, or the bases and keywords of a class.
void Parser::arguments(Expressions& positional, std::vector<Keyword>& keywords) {
  while (!at(")")) {
    argument(positional, keywords);
    if (!accept(",")) return;
  }
}

void Parser::argument(Expressions& positional, std::vector<Keyword>& keywords) {
  if (at("**") || (at(Token::Kind::name) && peek(1).is("="))) {
    keyword_argument(keywords);
    return;
  }
  const Range place = peek().range;
  const bool is_starred = at("*");
  const bool after_unpacking =
      std::any_of(keywords.begin(), keywords.end(),
                  [](const Keyword& keyword) { return keyword.name.empty(); });
  if (is_starred && after_unpacking) refuse(place, "'*' cannot come after '**' in a call");
  Expression value = is_starred ? starred_argument() : named_expression();
  if (at("=")) {
    refuse(value.range,
           fmt::format("'=' names an argument; {} is no name", syntax::in_words(value)),
           "to compare, write '=='");
  }
  if (!is_starred && !keywords.empty()) {
    refuse(value.range, fmt::format("an argument without a name comes after {}",
                                    after_unpacking ? "'**'" : "one with a name"));
  }
  positional.push_back(std::move(value));
}

/// Parses `name=value` or `**value`.
void Parser::keyword_argument(std::vector<Keyword>& keywords) {
  Keyword keyword;
  const Token first = take();
  if (first.kind == Token::Kind::name) {
    keyword.name = first.text;
    keyword.name_range = first.range;
    take();
    for (const Keyword& other : keywords) {
      if (other.name != keyword.name) continue;
      refuse(first.range, fmt::format("the argument '{}' is given twice", keyword.name));
    }
  } else {
    keyword.name_range = first.range;
  }
  keyword.value = boxed(expression());
  keywords.push_back(std::move(keyword));
}

/// Parses `*value` in a call or a subscript, where the value may be any expression.
Expression Parser::starred_argument() {
  const std::uint32_t begin = here();
  expect("*");
  ExpressionPtr value = boxed(expression());
  return make(begin, Starred{std::move(value)});
}

std::vector<Parameter> Parser::parameters(std::string_view closing, bool annotated) {
  ParameterList list{.annotated = annotated};
  while (!at(closing)) {
    if (at("/")) {
      slash(list);
    } else if (at("*") || at("**")) {
      star_parameter(list);
    } else {
      ordinary_parameter(list);
    }
    if (!accept(",")) break;
  }
  const bool has_names = std::any_of(list.all.begin(), list.all.end(), [](const Parameter& one) {
    return one.kind == Parameter::Kind::keyword_only;
  });
  if (list.bare_star && !has_names) refuse(*list.bare_star, "a parameter with a name follows '*'");
  return std::move(list.all);
}

/// Parses `/`: the parameters before it are positional-only.
void Parser::slash(ParameterList& list) {
  const Token token = take();
  check_not_last(list, token.range);
  if (list.all.empty()) refuse(token.range, "a parameter comes before '/'");
  if (list.after_slash) refuse(token.range, "there is one '/' at most");
  if (list.after_star) refuse(token.range, "'/' comes before '*'");
  for (Parameter& parameter : list.all) parameter.kind = Parameter::Kind::positional_only;
  list.after_slash = true;
}

/// Parses `*`, `*rest` or `**keywords`.
void Parser::star_parameter(ParameterList& list) {
  const Token star = take();
  const bool is_last = star.is("**");
  check_not_last(list, star.range);
  if (!is_last && list.after_star) refuse(star.range, "there is one '*' at most");
  if (!is_last) list.after_star = true;
  if (!is_last && at(",")) {
    list.bare_star = star.range;
    return;
  }
  if (!is_last && !at(Token::Kind::name)) refuse(star.range, "a parameter with a name follows '*'");
  add_parameter(list, is_last ? Parameter::Kind::keywords : Parameter::Kind::rest);
  if (at("=")) {
    refuse(peek().range, fmt::format("'{}{}' has no default", star.text, list.all.back().name));
  }
}

void Parser::ordinary_parameter(ParameterList& list) {
  check_not_last(list, peek().range);
  add_parameter(list, list.after_star ? Parameter::Kind::keyword_only : Parameter::Kind::ordinary);
  Parameter& added = list.all.back();
  if (accept("=")) {
    added.fallback = boxed(expression());
    list.after_default = true;
  } else if (list.after_default && !list.after_star) {
    refuse(added.range,
           fmt::format("'{}' needs a default: the parameter before it has one", added.name));
  }
}

void Parser::check_not_last(const ParameterList& list, Range range) const {
  if (list.all.empty() || list.all.back().kind != Parameter::Kind::keywords) return;
  refuse(range, fmt::format("nothing comes after '**{}'", list.all.back().name));
}

/// Parses the name and the annotation of a parameter.
void Parser::add_parameter(ParameterList& list, Parameter::Kind kind) {
  WrittenName named = name("the name of a parameter");
  for (const Parameter& other : list.all) {
    if (other.name != named.text) continue;
    refuse(named.range, fmt::format("there are two parameters '{}'", named.text));
  }
  Parameter parameter;
  parameter.name = std::move(named.text);
  parameter.range = named.range;
  parameter.kind = kind;
  if (list.annotated && accept(":")) {
    const bool is_starred = kind == Parameter::Kind::rest && at("*");
    parameter.annotation = boxed(is_starred ? starred() : expression());
  }
  list.all.push_back(std::move(parameter));
}

}  // namespace knead::syntax
