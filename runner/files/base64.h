#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knead::files {

/// Returns bytes in base64 (RFC 4648), padded with '='.
std::string to_base64(std::string_view bytes);

/// Returns the bytes of a text in base64; std::nullopt if it is empty, or not base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace knead::files
