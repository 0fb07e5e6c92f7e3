#include <utility>

#include "runner/syntax/format_scan.h"
#include "runner/syntax/parser.h"
#include "runner/syntax/strings.h"

namespace knead::syntax {

/// Parses one literal or several adjacent ones as one string. Either all of them are bytes or none
/// is.
Expression Parser::strings() {
  const std::uint32_t begin = here();
  const bool are_bytes = string_literal(source_->text(), peek().range).bytes;
  bool is_formatted = false;
  std::string bytes;
  FormatParts parts;
  while (at(Token::Kind::string)) {
    const Token token = take();
    const StringLiteral literal = string_literal(source_->text(), token.range);
    if (literal.bytes != are_bytes) {
      refuse(token.range, "bytes and a string cannot be joined",
             "write a 'b' before each of them or before none");
    }
    is_formatted = is_formatted || literal.formatted;
    if (literal.formatted) {
      append(parts, FormatScan(*this, literal.content, literal.raw).parts());
    } else if (are_bytes) {
      bytes += bytes_value(source_, literal.content, literal.raw);
    } else {
      append(parts, string_value(source_, literal.content, literal.raw));
    }
  }
  if (are_bytes) return make(begin, Bytes{std::move(bytes)});
  if (is_formatted) return make(begin, FString{std::move(parts)});
  return make(begin, String{parts.empty() ? "" : std::get<std::string>(std::move(parts[0]))});
}

/// The tokens of the expression come from a tokenizer of their own; the state of the outer one is
/// restored afterwards.
Expression Parser::part(Range range) {
  Tokens outer = std::exchange(tokens_, Tokens(source_, range));
  const std::uint32_t outer_end = last_end_;
  const bool outer_in_f_string = std::exchange(in_f_string_, true);
  Expression value = part_value();
  if (!at(Token::Kind::end)) unexpected();
  tokens_ = std::move(outer);
  last_end_ = outer_end;
  in_f_string_ = outer_in_f_string;
  return value;
}

Expression Parser::part_value() {
  if (at("yield")) return yield_expression();
  const std::uint32_t begin = here();
  Expression value = starred_or_named();
  if (at_generator()) {
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
  return value;
}

}  // namespace knead::syntax
