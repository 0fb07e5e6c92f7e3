#pragma once

#include <string>
#include <string_view>

namespace knead::schema {

/// Returns a text of unknown origin, such as the name of a folder, as a line that is safe to print
/// on a terminal: escape sequences are left out; other control characters, invalid UTF-8 and
/// characters that change the direction of text become '?', a tab becomes a blank. Pure.
std::string shown_text(std::string_view line);

/// Returns a text of unknown origin as lines that are safe to print: shown_text() of each line.
/// With `keeps_colour`, sequences that set colours stay, which tables of knead itself hold. Pure.
std::string shown_lines(std::string_view text, bool keeps_colour = false);

/// Returns a text of at most `most` bytes as it is. A longer text keeps its beginning and, a fifth
/// of it, its end, and says between them how many bytes are left out: "aaa…(9000 bytes left
/// out)…zz". Cuts between code points. Pure.
std::string shortened(std::string text, std::size_t most);

}  // namespace knead::schema
