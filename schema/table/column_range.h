#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace knead::schema {

/// Parses "0:64" as the half-open range [0, 64). Returns std::nullopt if the text is not two whole
/// numbers with a ':' between them, or one does not fit in 64 bits. The numbers may be negative or
/// in the wrong order; the caller checks that.
std::optional<std::pair<std::int64_t, std::int64_t>> column_range(std::string_view text);

}  // namespace knead::schema
