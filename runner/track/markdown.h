#pragma once

#include <string>

namespace knead::track {

/// Escapes a text for one line of GitHub's Markdown, in a table too: it shows as it is, and nothing
/// in it is a link, a format or an element of HTML.
std::string markdown_text(const std::string& text);

/// Returns a text as a block of code, in which nothing is Markdown, without a newline at its end.
std::string markdown_block(const std::string& text);

}  // namespace knead::track
