#pragma once

#include <string>
#include <string_view>

namespace knead::data {

/// Translates a pattern of Oniguruma to a PCRE2 pattern that matches the same. The tokenizers
/// library reads the patterns of a tokenizer.json in Oniguruma's Ruby syntax and with its Unicode
/// tables, which differ from PCRE2's: "^" is the beginning of each line, and \p{L} has other
/// characters. `pattern` is UTF-8. Throws knead::Error that names the construct and its place if
/// knead does not support it; a construct that PCRE2 would read differently is never passed on.
/// Pure.
std::string translated(std::string_view pattern);

/// Returns a PCRE2 pattern that matches exactly `text`, which is UTF-8.
std::string escaped(std::string_view text);

}  // namespace knead::data
