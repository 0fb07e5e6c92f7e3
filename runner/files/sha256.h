#pragma once

#include <string>
#include <string_view>

namespace knead::files {

/// SHA-256 of some bytes as 64 hexadecimal digits: what sha256sum prints.
std::string sha256(std::string_view bytes);

}  // namespace knead::files
