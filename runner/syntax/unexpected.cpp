#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/syntax/parser.h"
#include "runner/syntax/refusal.h"
#include "schema/document/suggest.h"

namespace knead::syntax {
namespace {

/// Returns the remedy for a line that is not part of the program: a prompt of the Python shell or a
/// mark of a merge conflict.
std::string remedy_of_line(std::string_view line) {
  if (line.starts_with(">>> ") || line.starts_with("... ")) {
    return "take out what the Python shell writes before each line";
  }
  for (const char* mark : {"<<<<<<<", "=======", ">>>>>>>"}) {
    if (line.starts_with(mark)) return "a merge stopped here: keep one of the two versions";
  }
  return "";
}

}  // namespace

std::string_view first_word(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t(:", begin), line.size());
  return line.substr(begin, end - begin);
}

std::string near_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 19> kBegin{
      "class",  "def",      "return", "import", "from",   "for", "while",
      "with",   "raise",    "assert", "elif",   "except", "del", "finally",
      "global", "nonlocal", "yield",  "await",  "async"};
  constexpr std::size_t kShortest = 3;  // almost any word of two letters is similar
  if (word.size() < kShortest) return "";
  return std::string(schema::nearest(word, kBegin));
}

std::string Parser::in_words(const Token& token) const {
  switch (token.kind) {
    case Token::Kind::newline: return "the end of the line";
    case Token::Kind::indent: return "an indented line";
    case Token::Kind::dedent: return "the end of the block";
    case Token::Kind::end: return in_f_string_ ? "the end of the braces" : "the end of the file";
    case Token::Kind::string: return "a string";
    default: return fmt::format("'{}'", token.text);
  }
}

void Parser::refuse(Range range, std::string message, std::string remedy) const {
  throw Refusal("model-syntax", {source_, range.begin, range.end}, std::move(message),
                std::move(remedy));
}

void Parser::leave_out(Range range, std::string_view what, std::string remedy) const {
  throw Refusal("model-refused", {source_, range.begin, range.end},
                fmt::format("{} not part of the language of models", what), std::move(remedy));
}

void Parser::unexpected(std::string_view wanted) {
  const Token token = peek();
  look_for_open_bracket();
  const std::string remedy = remedy_of_line(source_->line(source_->line_of(token.range.begin)));
  if (wanted.empty()) {
    refuse(token.range, fmt::format("{} is not expected here", in_words(token)), remedy);
  }
  refuse(token.range, fmt::format("expected {}, not {}", wanted, in_words(token)), remedy);
}

void Parser::refuse_word_of_block() {
  const Token& token = peek();
  if (token.is("else") || token.is("elif")) {
    const bool may_be_loop = token.is("else");
    refuse(token.range, fmt::format("'{}' belongs to nothing above it", token.text),
           fmt::format("it begins in the column of the {} that it belongs to",
                       may_be_loop ? "'if', 'for', 'while' or 'try'" : "'if'"));
  }
  if (token.is("except") || token.is("finally")) {
    refuse(token.range, fmt::format("'{}' belongs to no 'try'", token.text),
           "it begins in the column of the 'try' that it belongs to");
  }
}

/// A missing closing bracket often shows only as an error on a later line. The remaining tokens
/// tell whether the bracket is closed at all.
void Parser::look_for_open_bracket() {
  const Range bracket = tokens_.open_bracket();
  const bool is_above =
      bracket.end > 0 && source_->line_of(bracket.begin) < source_->line_of(peek().range.begin);
  if (!is_above) return;
  bool closes = true;
  try {
    while (tokens_.open_bracket().begin >= bracket.begin && tokens_.open_bracket().end > 0) {
      tokens_.take();
    }
  } catch (const Refusal& refusal) {
    closes = refusal.problem().place.begin != bracket.begin;
  }
  if (closes) return;
  const std::string_view open = std::string_view(source_->text()).substr(bracket.begin, 1);
  refuse(bracket, fmt::format("'{}' is never closed", open),
         fmt::format("write '{}' where it ends", open == "("   ? ")"
                                                 : open == "[" ? "]"
                                                               : "}"));
}

}  // namespace knead::syntax
