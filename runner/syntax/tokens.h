#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// A token of Python. Newline, indent, dedent and end tokens mark the ends of statements and
/// blocks; their text is empty.
struct Token {
  /// The kinds of tokens. A string token includes its prefix and quotes; a symbol is an operator, a
  /// bracket or a delimiter. Comments and blanks are not tokens.
  enum class Kind { name, keyword, number, string, symbol, newline, indent, dedent, end };

  Kind kind = Kind::end;
  Range range;
  std::string_view text;  // as written; refers to the text of the source

  /// Returns whether the token is the given symbol or keyword. A name or string of that text is
  /// not.
  bool is(std::string_view symbol_or_keyword) const {
    return text == symbol_or_keyword && (kind == Kind::symbol || kind == Kind::keyword);
  }
};

/// Splits a text into tokens on demand, by the rules of Python 3.11 for comments, joined lines and
/// indentation. Throws Refusal (model-syntax) at an invalid token, when it is first peeked at or
/// taken: an error further on does not hide one that the parser finds before it.
///
/// Every logical line ends with one newline token, the last one also without a line end in the
/// text. An indent token comes before the first line of a deeper block, a dedent token after each
/// block that ends, and end tokens follow the last one without limit. Lines that hold only blanks
/// or a comment give no tokens, and open brackets join lines. The text is checked UTF-8, as parse()
/// guarantees.
///
/// A token refers to the text, which the object keeps alive through its source.
class Tokens {
 public:
  /// Tokenizes a whole file from its first line on; skips a byte order mark.
  explicit Tokens(std::shared_ptr<const schema::Source> source);

  /// Tokenizes an expression inside a text as if it stood in parentheses: line ends are blanks, and
  /// no newline, indent or dedent is produced. Ranges count from the beginning of the text.
  Tokens(std::shared_ptr<const schema::Source> source, Range part);

  /// Returns the token after `ahead` others without consuming it; end tokens after the last. The
  /// reference is valid until the next take().
  const Token& peek(std::size_t ahead = 0);
  /// Consumes and returns the next token.
  Token take();

  /// Returns the innermost open bracket among the consumed tokens, or an empty range. Tokens that
  /// were only peeked at do not count.
  Range open_bracket() const;

 private:
  /// The indentation of a line, measured with two widths of a tab. If the two disagree about a
  /// block, the indentation is ambiguous.
  struct Level {
    int column = 0;         // a tab advances to the next multiple of 8
    int column_of_one = 0;  // a tab advances by one
  };

  /// Scans the next token. Indents and dedents that are due come before the text at the position.
  Token next();
  /// Returns the token from the position to `end`, and moves the position there.
  Token make(Token::Kind kind, std::uint32_t end);
  /// Skips blanks, comments and joined lines; inside brackets also line ends.
  void skip_blanks();
  /// Skips a '\' and the line end after it.
  void join_line();
  /// Returns the newline token at the position and moves past the line end.
  Token line_end();
  /// Returns the tokens that end the last line and all open blocks, then end tokens.
  Token text_end();
  /// Scans a name, a keyword, or a string with a prefix.
  Token word();
  Token number();
  /// Scans a string whose first quote follows `prefix` bytes after the position.
  Token string(std::uint32_t prefix);
  Token symbol();
  /// Records an opening bracket, and matches a closing one. Refuses a bracket that closes nothing
  /// or another kind of bracket.
  void check_bracket(std::string_view symbol);
  [[noreturn]] void refuse_character() const;
  [[noreturn]] void refuse(Range range, std::string message, std::string remedy = "") const;

  // indentation.cpp

  /// Skips lines without tokens, and records the indents and dedents before the next token.
  void begin_line();
  /// Measures the indentation of a line and stops at its first other character.
  Level measure_indentation();
  /// Compares the indentation of a line with the open blocks.
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
  std::vector<Range> brackets_;        // open at the end of the last scanned token
  std::vector<Range> taken_brackets_;  // open at the end of the last consumed token
  std::deque<Token> ahead_;            // scanned but not consumed
};

/// Returns whether a word is a reserved keyword of Python 3.11. `match`, `case`, `type` and `_` are
/// names.
bool is_keyword(std::string_view word);

}  // namespace knead::syntax
