#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knead::data {

/// A place in a pattern that is being read, and what is said about what stands there.
class PatternCursor {
 public:
  explicit PatternCursor(std::string_view pattern) : pattern_(pattern) {}

  bool is_at_end() const { return at_ == pattern_.size(); }

  /// The next byte; 0 at the end.
  char peek() const { return is_at_end() ? '\0' : pattern_[at_]; }
  std::string_view rest() const { return pattern_.substr(at_); }

  /// Whether the rest begins with `text`, behind which the cursor then stands.
  bool take(std::string_view text);
  char32_t take_character();

  /// The character that a backslash, behind which the cursor stands, makes of what follows:
  /// \n, \x41, \[. Refuses what it makes no character of.
  char32_t take_escaped();

  /// The name in \p{NAME} and \P{NAME}, behind whose letter the cursor stands; `is_negated` is
  /// turned where the name begins with ^.
  std::string take_property(bool& is_negated);

  /// Says that an item begins here: what is wrong with it is said to be here.
  void begin_item() { item_ = at_; }

  /// Throws knead::Error: the pattern has `what` where the item begins.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  char32_t take_hexadecimal(std::size_t fewest, std::size_t most);

  std::string_view pattern_;
  std::size_t at_ = 0;
  std::size_t item_ = 0;
};

/// A character as PCRE2 reads it anywhere in a pattern.
std::string spelled(char32_t character);

/// A pattern of PCRE2 for one character: what stands between brackets, with the cursor behind the
/// first of them. `is_caseless`: letters stand for their other case too.
std::string take_brackets(PatternCursor& cursor, bool is_caseless);

/// A quantifier as PCRE2 reads it, if there is one, with the ? that makes it lazy or the + that
/// makes it possessive: in Ruby's syntax a + behind braces is a quantifier of its own, and so is a
/// ? behind braces with one number.
std::optional<std::string> take_quantifier(PatternCursor& cursor);

/// A pattern of PCRE2 for one character of the class with that name, or not of it.
std::string one_of(const PatternCursor& cursor, const std::string& name, bool is_negated);

}  // namespace knead::data
