#include <utility>

#include "runner/syntax/format_scan.h"
#include "runner/syntax/parser.h"
#include "runner/syntax/strings.h"

namespace knead::syntax {

/// Parses one literal or several adjacent ones as one string.
Expression Parser::strings() {
  const std::uint32_t begin = here();
  bool is_formatted = false;
  FormatParts parts;
  while (at(Token::Kind::string)) {
    const Token token = take();
    const StringLiteral literal = string_literal(source_->text(), token.range);
    if (literal.bytes) leave_out(token.range, "bytes are", "write a string or a list of numbers");
    if (!literal.formatted) {
      append(parts, string_value(source_, literal.content, literal.raw));
      continue;
    }
    is_formatted = true;
    for (auto& part : FormatScan(*this, literal.content, literal.raw).parts()) {
      if (auto* text = std::get_if<std::string>(&part)) {
        append(parts, std::move(*text));
      } else {
        parts.push_back(std::move(part));
      }
    }
  }
  if (is_formatted) return make(begin, FString{std::move(parts)});
  return make(begin, String{parts.empty() ? "" : std::get<std::string>(std::move(parts[0]))});
}

/// The tokens of the expression come from a tokenizer of their own; the state of the outer one is
/// restored afterwards.
Expression Parser::part(Range range) {
  Tokens outer = std::exchange(tokens_, Tokens(source_, range));
  const std::uint32_t outer_end = last_end_;
  const bool outer_in_f_string = std::exchange(in_f_string_, true);
  const std::uint32_t begin = here();
  Expression value = starred_or_named();
  if (at("for")) {
    std::vector<Generator> loops = generators();
    value = make(begin, Comprehension{Comprehension::Kind::generator, boxed(std::move(value)),
                                      nullptr, std::move(loops)});
  } else if (at(",")) {
    Expressions items;
    items.push_back(std::move(value));
    while (accept(",") && !at(Token::Kind::end)) items.push_back(starred_or_named());
    value = make(begin, Tuple{std::move(items), true});
  }
  refuse_starred(value);
  if (!at(Token::Kind::end)) unexpected();
  tokens_ = std::move(outer);
  last_end_ = outer_end;
  in_f_string_ = outer_in_f_string;
  return value;
}

}  // namespace knead::syntax
