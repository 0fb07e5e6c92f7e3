#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knead::data {

/// Writes bytes in GPT-2's alphabet, which has a letter for each byte: printable bytes stand for
/// themselves, the other 68 become the letters from U+0100 on. So any bytes become text without
/// spaces, which a vocabulary in JSON can hold: " a" becomes "Ġa". Returns UTF-8. Pure.
std::string letters_of_bytes(std::string_view bytes);

/// Returns the bytes that letters_of_bytes() wrote as `letters`; std::nullopt for a text with other
/// letters. Pure.
std::optional<std::string> bytes_of_letters(std::string_view letters);

}  // namespace knead::data
