#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knead::schema {

/// Returns whether a pattern matches the whole name: '*' stands for any text, also none, and '?'
/// for one byte. A dot is an ordinary character, so "*.bias" matches "blocks.0.bias". Case matters.
/// Takes time proportional to the product of the lengths, also for many stars.
bool matches_glob(std::string_view pattern, std::string_view name);

/// Returns the names that match a pattern with the fewest edits, at most `most`, for a hint about a
/// pattern without a match. Empty if more than half of the pattern would have to change. All
/// results are equally near, in the order of `names`.
std::vector<std::string> nearest_to_glob(std::string_view pattern,
                                         std::span<const std::string> names, std::size_t most);

}  // namespace knead::schema
