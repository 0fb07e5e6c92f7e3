#pragma once

#include <string>
#include <string_view>

namespace knead::files {

/// XXH3-128 of some bytes as 32 hexadecimal digits: finds damage and difference, not forgery.
std::string digest(std::string_view bytes);

}  // namespace knead::files
