#pragma once

#include <string>
#include <string_view>

namespace knead::report {

/// Returns a text that any page may hold: bytes that are not UTF-8 become U+FFFD, and so do control
/// characters but tab and newline, and characters that change the direction of the text around
/// them. Is idempotent.
std::string readable_text(std::string_view text);

}  // namespace knead::report
