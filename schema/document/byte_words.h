#pragma once

#include <string>

namespace knead::schema {

/// How much memory or disk that is, as all messages and tables say it: "812 B", "1.2 kB", "34 MB",
/// "5.6 GB", in powers of a thousand as the same units have in a recipe.
std::string byte_words(double bytes);

}  // namespace knead::schema
