#include "runner/data/table/cell.h"

#include <charconv>
#include <cmath>
#include <string>

namespace knead::data {
namespace {

/// Removes a plus sign, which std::from_chars does not accept. Keeps "+-5", which is not a number.
std::string_view without_plus(std::string_view cell) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  return cell;
}

}  // namespace

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  return cell;
}

std::optional<double> number_in(std::string_view cell) {
  cell = without_plus(trimmed(cell));
  double value = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == cell.data() + cell.size();
  return whole && !cell.empty() && std::isfinite(value) ? std::optional<double>(value)
                                                        : std::nullopt;
}

std::optional<std::int64_t> integer_in(std::string_view cell) {
  cell = without_plus(trimmed(cell));
  std::int64_t value = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (read.ec == std::errc() && read.ptr == cell.data() + cell.size() && !cell.empty())
    return value;
  // Some programs write integers as "3.0".
  const auto number = number_in(cell);
  return number && is_exact_integer(*number)
             ? std::optional<std::int64_t>(static_cast<std::int64_t>(*number))
             : std::nullopt;
}

std::optional<bool> boolean_in(std::string_view cell) {
  cell = trimmed(cell);
  if (cell == "1" || cell == "true" || cell == "True" || cell == "TRUE") return true;
  if (cell == "0" || cell == "false" || cell == "False" || cell == "FALSE") return false;
  return std::nullopt;
}

bool is_missing(std::string_view cell) {
  std::string word(trimmed(cell));
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const char* missing : {"", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "?", "-"}) {
    if (word == missing) return true;
  }
  return false;
}

std::string_view number_advice(std::string_view cell) {
  cell = trimmed(cell);
  if (is_missing(cell)) return "a value is missing: fill it in, or leave the row out";
  const bool has_digits = cell.find_first_of("0123456789") != cell.npos;
  // Thousands may be separated, or a comma may stand for the point.
  const bool is_separated =
      cell.find_first_of(",' _") != cell.npos || cell.find('.') != cell.rfind('.');
  if (has_digits && is_separated && cell.find_first_not_of("+-0123456789.,' _eE") == cell.npos)
    return "a number has a point, and nothing between thousands";
  return has_digits ? "" : kWordsAdvice;
}

bool is_blank(std::string_view cell) { return trimmed(cell).empty(); }

bool is_exact_integer(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return value == std::floor(value) && std::abs(value) < kExact;
}

}  // namespace knead::data
