#include "runner/data/cell.h"

#include <charconv>
#include <cmath>

namespace knead::data {

std::string_view trimmed(std::string_view cell) {
  while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  return cell;
}

std::optional<double> number_in(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == cell.data() + cell.size();
  return whole && !cell.empty() && std::isfinite(value) ? std::optional<double>(value)
                                                        : std::nullopt;
}

std::optional<std::int64_t> integer_in(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('+')) cell.remove_prefix(1);
  std::int64_t value = 0;
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (read.ec == std::errc() && read.ptr == cell.data() + cell.size() && !cell.empty())
    return value;
  // "3.0", as some programs write whole numbers.
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

bool is_blank(std::string_view cell) { return trimmed(cell).empty(); }

bool is_exact_integer(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return value == std::floor(value) && std::abs(value) <= kExact;
}

}  // namespace knead::data
