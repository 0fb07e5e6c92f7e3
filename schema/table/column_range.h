#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace knead::schema {

/// "0:64" as [0, 64); nothing where the text is not two numbers with a ':' between them.
std::optional<std::pair<std::int64_t, std::int64_t>> column_range(std::string_view text);

}  // namespace knead::schema
