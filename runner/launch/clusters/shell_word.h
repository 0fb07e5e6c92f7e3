#pragma once

#include <string>
#include <string_view>

namespace knead::launch {

/// Writes a text as one word of a POSIX shell, which the shell reads back unchanged: in single
/// quotes unless all its characters are plain ones. A text with a line end stays one word.
std::string shell_word(std::string_view text);

}  // namespace knead::launch
