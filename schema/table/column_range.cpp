#include "schema/table/column_range.h"

#include <charconv>

namespace knead::schema {
namespace {

/// Returns the integer that the whole text stands for.
std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole ? std::optional<std::int64_t>(value) : std::nullopt;
}

}  // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> column_range(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return std::nullopt;
  const auto begin = whole_number(text.substr(0, colon));
  const auto end = whole_number(text.substr(colon + 1));
  if (!begin || !end) return std::nullopt;
  return std::pair(*begin, *end);
}

}  // namespace knead::schema
