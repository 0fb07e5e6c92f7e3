#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knead::data {

/// The bytes that a word of GPT-2's alphabet stands for, in which each byte is a letter: printable
/// bytes themselves, the other 68 the letters from U+0100 on. Nothing where a letter stands for
/// none. `word` is UTF-8.
std::optional<std::string> bytes_of_letters(std::string_view word);

}  // namespace knead::data
