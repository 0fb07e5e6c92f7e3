#include "runner/syntax/tokens.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/syntax/letters.h"
#include "runner/syntax/numbers.h"
#include "runner/syntax/refusal.h"
#include "runner/syntax/strings.h"

namespace knead::syntax {
namespace {

// Longer symbols come first, because the first match is taken. `<>` is not an operator, but is
// scanned as one symbol, so that the parser can suggest '!='.
constexpr std::array<std::string_view, 48> kSymbols{
    "**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==",
    "!=",  "->",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "@=", ":=",
    "<>",  "+",   "-",   "*",   "/",   "%",  "@",  "&",  "|",  "^",  "~",  "<",
    ">",   "(",   ")",   "[",   "]",   "{",  "}",  ",",  ":",  ".",  ";",  "="};

std::string_view closing_of(std::string_view open) {
  return open == "(" ? ")" : open == "[" ? "]" : "}";
}

}  // namespace

Tokens::Tokens(std::shared_ptr<const schema::Source> source)
    : source_(std::move(source)),
      text_(source_->text()),
      end_(static_cast<std::uint32_t>(text_.size())) {
  // A byte order mark is not part of the program.
  if (text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
}

Tokens::Tokens(std::shared_ptr<const schema::Source> source, Range part)
    : source_(std::move(source)),
      text_(source_->text()),
      position_(part.begin),
      end_(part.end),
      is_part_(true),
      at_line_start_(false) {}

const Token& Tokens::peek(std::size_t ahead) {
  while (ahead_.size() <= ahead) ahead_.push_back(next());
  return ahead_[ahead];
}

Token Tokens::take() {
  const Token token = peek();
  ahead_.pop_front();
  if (token.kind != Token::Kind::symbol) return token;
  // brackets_ counts also the brackets of tokens that were only peeked at, so messages need a count
  // of their own.
  if (token.is("(") || token.is("[") || token.is("{")) taken_brackets_.push_back(token.range);
  if (token.is(")") || token.is("]") || token.is("}")) taken_brackets_.pop_back();
  return token;
}

Range Tokens::open_bracket() const {
  return taken_brackets_.empty() ? Range{} : taken_brackets_.back();
}

Token Tokens::next() {
  // Inside brackets the indentation of a line has no meaning.
  if (at_line_start_ && brackets_.empty()) begin_line();
  if (indent_due_) {
    indent_due_ = false;
    return make(Token::Kind::indent, position_);
  }
  if (dedents_due_ > 0) {
    --dedents_due_;
    return make(Token::Kind::dedent, position_);
  }
  skip_blanks();
  if (position_ >= end_) return text_end();
  const char c = at(position_);
  if (c == '\n' || c == '\r') return line_end();
  line_has_tokens_ = true;
  if (c == '"' || c == '\'') return string(0);
  if ((c >= '0' && c <= '9') ||
      (c == '.' && at(position_ + 1) >= '0' && at(position_ + 1) <= '9')) {
    return number();
  }
  return name_length(text_.substr(position_, end_ - position_)) > 0 ? word() : symbol();
}

Token Tokens::make(Token::Kind kind, std::uint32_t end) {
  const Token token{kind, {position_, end}, text_.substr(position_, end - position_)};
  position_ = end;
  return token;
}

void Tokens::skip_blanks() {
  while (position_ < end_) {
    const char c = at(position_);
    const bool is_line_end = c == '\n' || c == '\r';
    // In an f-string FormatScan has refused '#' and '\' between the braces.
    if (c == '#' && !is_part_) {
      position_ =
          static_cast<std::uint32_t>(std::min<std::size_t>(text_.find('\n', position_), end_));
    } else if (c == '\\' && !is_part_) {
      join_line();
    } else if (c == ' ' || c == '\t' || c == '\f' ||
               (is_line_end && (is_part_ || !brackets_.empty()))) {
      ++position_;
    } else {
      return;
    }
  }
}

void Tokens::join_line() {
  const std::uint32_t backslash = position_++;
  if (at(position_) == '\r') ++position_;
  if (position_ >= end_) {
    refuse({backslash, backslash + 1}, "the file ends after a '\\' that joins lines");
  }
  if (at(position_) != '\n') {
    refuse({backslash + 1, backslash + 2}, "a '\\' that joins lines is the last thing in its line");
  }
  ++position_;
}

Token Tokens::line_end() {
  const Token token = make(Token::Kind::newline, position_);
  // parse() has checked that a line feed follows each carriage return.
  position_ += at(position_) == '\r' ? 2 : 1;
  at_line_start_ = true;
  line_has_tokens_ = false;
  return token;
}

/// The last line and its blocks end even without a final line end.
Token Tokens::text_end() {
  if (!brackets_.empty()) {
    const Range open = brackets_.back();
    const std::string_view bracket = text_.substr(open.begin, 1);
    refuse(open, fmt::format("'{}' is never closed", bracket),
           fmt::format("write '{}' where it ends", closing_of(bracket)));
  }
  if (is_part_) return make(Token::Kind::end, end_);
  if (line_has_tokens_) {
    line_has_tokens_ = false;
    return make(Token::Kind::newline, end_);
  }
  if (levels_.size() > 1) {
    levels_.pop_back();
    return make(Token::Kind::dedent, end_);
  }
  return make(Token::Kind::end, end_);
}

Token Tokens::word() {
  const std::string_view rest = text_.substr(position_, end_ - position_);
  const auto length = static_cast<std::uint32_t>(name_length(rest));
  const char next = at(position_ + length);
  if ((next == '"' || next == '\'') && is_string_prefix(rest.substr(0, length))) {
    return string(length);
  }
  return make(is_keyword(rest.substr(0, length)) ? Token::Kind::keyword : Token::Kind::name,
              position_ + length);
}

Token Tokens::number() {
  const ScannedNumber scanned = scan_number(text_.substr(position_, end_ - position_));
  const auto length = static_cast<std::uint32_t>(scanned.length);
  if (!scanned.wrong.empty()) {
    const std::uint32_t wrong = position_ + length;
    refuse({wrong, wrong + 1}, std::string(scanned.wrong), std::string(scanned.remedy));
  }
  return make(Token::Kind::number, position_ + length);
}

Token Tokens::string(std::uint32_t prefix) {
  const std::uint32_t quote = position_ + prefix;
  const StringEnd found = find_string_end(text_.substr(0, end_), quote);
  if (found.closed) return make(Token::Kind::string, static_cast<std::uint32_t>(found.end));
  const bool is_triple =
      text_.substr(quote, 3).find_first_not_of(at(quote)) == text_.npos && quote + 3 <= end_;
  const std::string quotes(is_triple ? 3 : 1, at(quote));
  refuse({position_, quote + static_cast<std::uint32_t>(quotes.size())},
         "the string is never closed",
         is_triple ? fmt::format("write {} where it ends", quotes)
                   : fmt::format("write {} before the end of the line", quotes));
}

Token Tokens::symbol() {
  const std::string_view rest = text_.substr(position_, end_ - position_);
  const auto found = std::find_if(kSymbols.begin(), kSymbols.end(), [&](std::string_view symbol) {
    return rest.starts_with(symbol);
  });
  if (found == kSymbols.end()) refuse_character();
  check_bracket(*found);
  return make(Token::Kind::symbol, position_ + static_cast<std::uint32_t>(found->size()));
}

void Tokens::refuse_character() const {
  const std::string_view rest = text_.substr(position_, end_ - position_);
  const auto length = static_cast<std::uint32_t>(schema::sequence_length(rest, 0));
  const Range range{position_, position_ + length};
  const std::string_view shown = rest.substr(0, length);
  if (length == 1) {
    refuse(range, fmt::format("'{}' means nothing here", shown), shown == "!" ? "write 'not'" : "");
  }
  const bool is_quote = shown == "“" || shown == "”" || shown == "‘" || shown == "’";
  refuse(
      range,
      fmt::format("'{}' (U+{:04X}) means nothing outside of a string", shown,
                  static_cast<std::uint32_t>(first_character(rest))),
      is_quote
          ? "write \" or ' around a string"
          : "names are made of Latin, Greek, Cyrillic, Chinese, Japanese or Korean letters, digits "
            "and '_'");
}

void Tokens::check_bracket(std::string_view symbol) {
  const Range range{position_, position_ + static_cast<std::uint32_t>(symbol.size())};
  if (symbol == "(" || symbol == "[" || symbol == "{") brackets_.push_back(range);
  if (symbol != ")" && symbol != "]" && symbol != "}") return;
  if (brackets_.empty()) refuse(range, fmt::format("'{}' closes nothing", symbol));
  const std::string_view open = text_.substr(brackets_.back().begin, 1);
  if (closing_of(open) != symbol) {
    const int line = source_->line_of(brackets_.back().begin);
    const bool elsewhere = line != source_->line_of(position_);
    refuse(range,
           fmt::format("'{}' does not close the '{}'{}", symbol, open,
                       elsewhere ? fmt::format(" of line {}", line) : ""),
           fmt::format("write '{}' first", closing_of(open)));
  }
  brackets_.pop_back();
}

void Tokens::refuse(Range range, std::string message, std::string remedy) const {
  throw Refusal("model-syntax", {source_, range.begin, range.end}, std::move(message),
                std::move(remedy));
}

bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 35> kKeywords{
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

}  // namespace knead::syntax
