#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knead::data {

/// Reads a pattern from left to right and reports faults with their place. Borrows the pattern,
/// which is UTF-8. Call begin_item() at each item, so that a message points to it.
class PatternCursor {
 public:
  /// Begins at the first byte.
  explicit PatternCursor(std::string_view pattern) : pattern_(pattern) {}

  bool is_at_end() const { return at_ == pattern_.size(); }

  /// Returns the next byte; 0 at the end.
  char peek() const { return is_at_end() ? '\0' : pattern_[at_]; }
  /// Returns the part of the pattern that is not read yet.
  std::string_view rest() const { return pattern_.substr(at_); }

  /// Moves past `text` and returns true if the rest begins with it; otherwise returns false.
  bool take(std::string_view text);
  /// Reads one character; the cursor must not be at the end.
  char32_t take_character();

  /// Reads an escaped character behind its backslash: \n, \x41, \[. Throws knead::Error if the
  /// escape does not stand for a character.
  char32_t take_escaped();

  /// Reads {NAME} behind \p or \P and returns the name. Flips `is_negated` if the name begins with
  /// ^.
  std::string take_property(bool& is_negated);

  /// Marks the beginning of an item, which refuse() reports as the place of a fault.
  void begin_item() { item_ = at_; }

  /// Throws knead::Error: the pattern has `what` at the place where the item begins. The message
  /// shows the first 200 bytes of the pattern, and counts characters from 1.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  /// Reads a character written as `fewest` to `most` hexadecimal digits.
  char32_t take_hexadecimal(std::size_t fewest, std::size_t most);

  std::string_view pattern_;
  std::size_t at_ = 0;    // offset of the next byte
  std::size_t item_ = 0;  // offset of the item being read
};

/// Writes a character so that PCRE2 reads it literally anywhere in a pattern.
std::string spelled(char32_t character);

/// Translates a bracket expression whose opening bracket has been read, up to its closing bracket,
/// to a PCRE2 pattern for one character. `is_caseless`: letters match in both cases. Throws
/// knead::Error for a construct that knead does not support.
std::string take_brackets(PatternCursor& cursor, bool is_caseless);

/// Translates a quantifier, if one follows, with the ? that makes it lazy or the + that makes it
/// possessive; std::nullopt, with nothing read, if none follows. In Ruby's syntax a + behind braces
/// is a quantifier of its own, and so is a ? behind braces with one number. Braces that are not a
/// quantifier, as in "{a}", are left to be read as characters. Throws knead::Error for numbers
/// above 9999 or in descending order.
std::optional<std::string> take_quantifier(PatternCursor& cursor);

/// Returns a PCRE2 pattern for one character that is in the named class, or that is not in it.
/// Throws knead::Error if the class is unknown.
std::string one_of(const PatternCursor& cursor, const std::string& name, bool is_negated);

}  // namespace knead::data
