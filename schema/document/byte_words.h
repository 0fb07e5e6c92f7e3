#pragma once

#include <string>

namespace knead::schema {

/// Formats a size of memory or disk as all messages and tables show it: "812 B", "1.2 kB", "34 MB",
/// "5.6 GB". Units are powers of 1000, as the same units are in a recipe. A number below 10 has one
/// decimal, except for bytes; the largest unit is PB. `bytes` is not negative.
std::string byte_words(double bytes);

}  // namespace knead::schema
