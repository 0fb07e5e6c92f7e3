#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace knead::data {

/// Reads a finite decimal number in C notation, also with a plus sign: "-1.5e3"; std::nullopt for
/// any other text, such as "nan", "inf", "0x10", "1,5" or an empty cell. Ignores spaces around the
/// cell. Does not depend on the locale.
std::optional<double> number_in(std::string_view cell);
/// Reads an integer, also written as "3.0" or "4e2"; std::nullopt for any other text. All integers
/// of 64 bits are read exactly; those written with a point or exponent must be below 2^53. Ignores
/// spaces around the cell.
std::optional<std::int64_t> integer_in(std::string_view cell);
/// Reads 0, 1, true or false, which may also be written True or TRUE; std::nullopt for any other
/// text. Ignores spaces around the cell.
std::optional<bool> boolean_in(std::string_view cell);

/// Returns whether a cell marks a missing value: empty, "NA", "N/A", "#N/A", "nan", "null", "none",
/// "nil", "?" or "-", in small or large letters and with spaces around it.
bool is_missing(std::string_view cell);

/// Says how a field reads words.
constexpr std::string_view kWordsAdvice =
    "categories say which words stand for numbers, as in categories: [red, green]";

/// Returns advice on how to make a number of a cell that is not one, for a missing value or for
/// separators such as "1,234.5", or for words; empty if none is known.
std::string_view number_advice(std::string_view cell);

/// Returns the cell without the spaces around it.
std::string_view trimmed(std::string_view cell);

/// Returns whether a cell has nothing but spaces; true for an empty cell.
bool is_blank(std::string_view cell);

/// Returns whether a number is an integer below 2^53 in magnitude, so that no other integer rounds
/// to it. False for NaN and infinities.
bool is_exact_integer(double value);

}  // namespace knead::data
