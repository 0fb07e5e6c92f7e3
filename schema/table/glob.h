#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knead::schema {

/// Whether a pattern stands for the whole name: * for any text, also none, ? for one character. A
/// dot is a character like others.
bool matches_glob(std::string_view pattern, std::string_view name);

/// The names that a pattern most nearly stands for, at most `most`, nearest first; none where it
/// resembles nothing. For hints about a pattern that matches no name.
std::vector<std::string> nearest_to_glob(std::string_view pattern,
                                         std::span<const std::string> names, std::size_t most);

}  // namespace knead::schema
