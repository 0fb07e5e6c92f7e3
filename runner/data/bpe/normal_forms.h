#pragma once

#include <string>
#include <string_view>

namespace knead::data {

/// Lists the normal forms of Unicode (UAX #15).
enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// Converts a UTF-8 text to a normal form with the tokenizers library's tables, which are of
/// Unicode 9: newer characters stay as they are. Throws knead::Error if utf8proc fails.
std::string normal_form_of(std::string_view text, NormalForm form);

/// Converts a UTF-8 text to lower case, each character by itself, with the library's tables: the
/// result does not depend on neighbours (a final Σ becomes σ) or on the locale. One character may
/// become several.
std::string lower_case_of(std::string_view text);

}  // namespace knead::data
