#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace knead::data {

/// Reads a finite number; std::nullopt for any other text. Ignores spaces around the cell.
std::optional<double> number_in(std::string_view cell);
/// Reads an integer, also written as "3.0" or "4e2"; std::nullopt for any other text. Ignores
/// spaces around the cell.
std::optional<std::int64_t> integer_in(std::string_view cell);
/// Reads 0, 1, true or false; std::nullopt for any other text. Ignores spaces around the cell.
std::optional<bool> boolean_in(std::string_view cell);

/// Returns whether a cell marks a missing value: empty, "NA", "null", "?" and the like.
bool is_missing(std::string_view cell);

/// Returns advice on how to make a number of a cell that is not one; empty if none is known.
std::string_view number_advice(std::string_view cell);

/// Returns the cell without the spaces around it.
std::string_view trimmed(std::string_view cell);

/// Returns whether a cell has nothing but spaces.
bool is_blank(std::string_view cell);

/// Returns whether a number is an integer below 2^53, so that no other integer rounds to it.
bool is_exact_integer(double value);

}  // namespace knead::data
