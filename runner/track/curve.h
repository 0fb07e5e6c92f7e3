#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knead::track {

/// Draws values of at least 0 as an area of block characters: `rows` lines from top to bottom, a
/// column per value, scaled so that the largest value fills all lines. A value above 0 has at least
/// the lowest block. Lines have no trailing blanks, so an empty line stands for a row that no value
/// reaches. Used to show a schedule. Pure.
std::vector<std::string> area(const std::vector<double>& values, std::size_t rows);

}  // namespace knead::track
