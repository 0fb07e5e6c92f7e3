#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace knead::track {

/// Values from 0 up as an area of blocks, `rows` lines high and as many columns wide as there are
/// values, the highest as high as all: what a schedule looks like. From the top line down, without
/// blanks at their ends. A value above 0 is always seen.
std::vector<std::string> area(const std::vector<double>& values, std::size_t rows);

}  // namespace knead::track
