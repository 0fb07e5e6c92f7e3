#pragma once

#include <string>
#include <string_view>

namespace knead::data {

/// A pattern for PCRE2 that matches what a pattern of Oniguruma matches, in whose Ruby syntax and
/// with whose tables of Unicode the tokenizers library reads the patterns of a tokenizer.json.
/// `pattern` is UTF-8. Throws knead::Error that says what of it knead does not read: what PCRE2
/// would take in another sense is never passed on.
std::string translated(std::string_view pattern);

/// A pattern for PCRE2 that matches a text to the letter.
std::string escaped(std::string_view text);

}  // namespace knead::data
