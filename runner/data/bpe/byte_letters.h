#pragma once

#include <string>
#include <string_view>

namespace knead::data {

/// A text in GPT-2's alphabet, in which each byte is a letter: printable bytes themselves, the
/// other 68 the letters from U+0100 on. The result is UTF-8.
std::string letters_of_bytes(std::string_view bytes);

}  // namespace knead::data
