#include "runner/report/html.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/report/readable_text.h"
#include "schema/document/json_text.h"

namespace knead::report {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : readable_text(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string script_json(const nlohmann::ordered_json& data) {
  std::string out;
  for (const char c : schema::readable_json_text(data)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

nlohmann::ordered_json short_json(double number) {
  if (!std::isfinite(number)) return nullptr;
  const std::string text = fmt::format("{:.6g}", number);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  // Whole numbers are shorter without a fraction.
  if (std::fabs(rounded) < 1e15 && rounded == std::floor(rounded))
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

std::string html(const Table& table) {
  const std::string caption = escaped(table.caption);
  std::string out = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><table "
      "class=\"{}{}\">"
      "<caption{}>{}</caption><thead><tr>",
      caption, table.is_sortable ? "sortable" : "plain", table.is_tight ? " tight" : "",
      table.shows_caption ? "" : " class=\"unseen\"", caption);
  for (const TableColumn& column : table.columns)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", column.is_number ? " class=\"n\"" : "",
                       escaped(column.title));
  out += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    out += "<tr";
    if (i < table.row_classes.size() && !table.row_classes[i].empty())
      out += fmt::format(" class=\"{}\"", table.row_classes[i]);
    if (i < table.row_marks.size()) out += fmt::format(" data-t=\"{}\"", table.row_marks[i]);
    out += ">";
    for (std::size_t k = 0; k < table.rows[i].size(); ++k) {
      const Cell& cell = table.rows[i][k];
      const bool is_number = k < table.columns.size() && table.columns[k].is_number;
      out += fmt::format(
          "<td{}{}>{}</td>", is_number ? " class=\"n\"" : "",
          cell.sort_key.empty() ? "" : fmt::format(" data-v=\"{}\"", escaped(cell.sort_key)),
          cell.html);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string html_facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string out = "<dl class=\"facts\">";
  for (const auto& [name, value] : facts)
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
  return out + "</dl>\n";
}

}  // namespace knead::report
