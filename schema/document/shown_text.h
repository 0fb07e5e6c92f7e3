#pragma once

#include <string>
#include <string_view>

namespace knead::schema {

/// Returns a text of unknown origin, such as the name of a folder, as a line that is safe to print
/// on a terminal: escape sequences are left out; other control characters, invalid UTF-8 and
/// characters that change the direction of text become '?', a tab becomes a blank. Pure.
std::string shown_text(std::string_view line);

}  // namespace knead::schema
