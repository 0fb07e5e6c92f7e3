#pragma once

#include <string>
#include <string_view>

namespace knead::schema {

/// The end of a scalar. yaml-cpp reports only where a token begins; messages also mark its end.
///
/// The functions of this header find the end in the text. They read bytes, know no context, and
/// never fail.
struct Token {
  std::size_t end;     // byte offset
  bool closed = true;  // false: a quote without its closing quote, which yaml-cpp accepts
};

/// Finds the end of the scalar that begins at byte `at` and has the given value. A plain scalar
/// over several lines, and a block scalar (`|`, `>`), end with their first line here, so that a
/// mark stays in one line.
Token scalar_token(std::string_view text, std::size_t at, std::string_view value);

/// Returns the end of the alias `*name` at byte `at`.
std::size_t alias_end(std::string_view text, std::size_t at);

/// Returns whether the '[' or '{' at byte `at` is closed before the text ends. Brackets in quotes
/// and comments do not count, and a quote inside a word, as in don't, opens no text. Which of ']'
/// and '}' closes is not compared.
bool bracket_closes(std::string_view text, std::size_t at);

/// Returns the offset after any `&anchor` and `!tag` at byte `at`; they stand before their value.
std::size_t skip_properties(std::string_view text, std::size_t at);

/// Returns whether `~`, `null`, `Null` or `NULL` stands at byte `at` as a whole word.
bool is_null_word(std::string_view text, std::size_t at);
/// Returns the end of a null word at byte `at`, or `at` if there is none. The word may continue:
/// see is_null_word().
std::size_t null_word_end(std::string_view text, std::size_t at);

/// Removes leading zeros from a number: "-007" → "-7", "00.5" → "0.5".
std::string without_leading_zeros(std::string_view number);

}  // namespace knead::schema
