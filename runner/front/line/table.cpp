#include "runner/front/line/table.h"

#include <algorithm>
#include <string_view>

namespace knead::front {

namespace {

/// Counts the code points of a text.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       std::optional<std::size_t> right) {
  if (rows.empty()) return "";
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], length_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string spaces(widths[i] - length_of(row[i]), ' ');
      const bool is_last = i + 1 == row.size();  // no spaces at the end of a line
      text +=
          (i == 0 ? "" : "  ") + (right == i ? spaces + row[i] : row[i] + (is_last ? "" : spaces));
    }
    text += "\n";
  }
  return text;
}

}  // namespace knead::front
