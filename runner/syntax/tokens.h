#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// The smallest piece of source that means something. Newline, indent and dedent stand where blocks
/// and statements end; their text is empty.
struct Token {
  enum class Kind { name, keyword, number, string, symbol, newline, indent, dedent, end };

  Kind kind = Kind::end;
  Range range;
  std::string_view text;  // as written, in the text of the source

  bool is(std::string_view symbol_or_keyword) const {
    return text == symbol_or_keyword && (kind == Kind::symbol || kind == Kind::keyword);
  }
};

/// Cuts a text into tokens, one after the other, by the rules of Python 3.11: comments, joined
/// lines, indentation. Throws Refusal at what is no token.
class Tokens {
 public:
  explicit Tokens(std::shared_ptr<const schema::Source> source);

  /// An expression inside a text, as if it stood in parentheses: line ends mean nothing.
  Tokens(std::shared_ptr<const schema::Source> source, Range part);

  /// The token after `ahead` others. Past the end there are end tokens only.
  const Token& peek(std::size_t ahead = 0);
  Token take();

  /// The innermost bracket that the tokens taken so far leave open; an empty range if there is
  /// none.
  Range open_bracket() const;

 private:
  /// How far a line is indented, by two measures of a tab: where they disagree, it is ambiguous.
  struct Level {
    int column = 0;         // a tab goes on to the next multiple of 8
    int column_of_one = 0;  // a tab is one column
  };

  Token next();
  Token make(Token::Kind kind, std::uint32_t end);
  void skip_blanks();
  void join_line();
  Token line_end();
  Token text_end();
  Token word();
  Token number();
  Token string(std::uint32_t prefix);
  Token symbol();
  void check_bracket(std::string_view symbol);
  [[noreturn]] void refuse_character() const;
  [[noreturn]] void refuse(Range range, std::string message, std::string remedy = "") const;

  // indentation.cpp
  void begin_line();
  Level measure_indentation();
  void change_level(Level level);

  char at(std::uint32_t position) const { return position < end_ ? text_[position] : '\0'; }

  std::shared_ptr<const schema::Source> source_;
  std::string_view text_;
  std::uint32_t position_ = 0;
  std::uint32_t end_;
  bool is_part_ = false;
  bool at_line_start_ = true;
  bool line_has_tokens_ = false;
  int dedents_due_ = 0;
  bool indent_due_ = false;
  std::vector<Level> levels_{Level{}};
  std::vector<Range> brackets_;        // open, in what was cut
  std::vector<Range> taken_brackets_;  // open, in what was taken
  std::deque<Token> ahead_;
};

/// Whether a word belongs to Python's grammar and can be no name.
bool is_keyword(std::string_view word);

}  // namespace knead::syntax
