#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace knead::data {

/// What a cell of a table says; spaces around it do not count. Nothing where it says something
/// else.
std::optional<double> number_in(std::string_view cell);         // finite
std::optional<std::int64_t> integer_in(std::string_view cell);  // also "3.0" and "4e2"
std::optional<bool> boolean_in(std::string_view cell);          // 0, 1, true, false

/// Whether a cell says that there is no value: "NA", "null", "?" and what others write for it.
bool is_missing(std::string_view cell);

/// What would make a number of a cell that is none; empty where nothing is known to.
std::string_view number_advice(std::string_view cell);

/// Without the spaces around it.
std::string_view trimmed(std::string_view cell);

bool is_blank(std::string_view cell);

/// Whether a number is whole, and so small that no other whole number is rounded to it.
bool is_exact_integer(double value);

}  // namespace knead::data
