#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace knead::front {

/// Returns rows as lines whose columns are as wide as their widest cell, in code points, with two
/// spaces between. One column may be aligned right. All rows have as many cells as the first.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::optional<std::size_t> right = std::nullopt);

}  // namespace knead::front
