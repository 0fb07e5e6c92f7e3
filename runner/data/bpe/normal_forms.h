#pragma once

#include <string>
#include <string_view>

namespace knead::data {

/// A normal form of Unicode.
enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// The text in a normal form, with the tables of the tokenizers library. The text is UTF-8.
std::string normal_form_of(std::string_view text, NormalForm form);

/// The text in lower case, character by character.
std::string lower_case_of(std::string_view text);

}  // namespace knead::data
