#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace knead::schema {

/// Returns a count with its noun, which takes an s unless the count is 1: "1 step", "2 steps".
/// `noun` is a singular whose plural is regular; "entry" would become "entrys".
std::string count_words(std::int64_t count, std::string_view noun);

}  // namespace knead::schema
