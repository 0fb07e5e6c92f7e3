#include "runner/data/csv_columns.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/data/cell.h"
#include "runner/data/csv_rows.h"
#include "schema/column_range.h"
#include "schema/error.h"
#include "schema/suggest.h"

namespace knead::data {
namespace {

bool uses_names(const recipe::Csv& csv) {
  for (const auto& [name, field] : csv.fields) {
    for (const auto& column : field.columns) {
      const auto* text = std::get_if<std::string>(&column);
      if (text && !schema::column_range(*text)) return true;
    }
  }
  return false;
}

}  // namespace

Columns::Columns(std::string_view text, const recipe::Csv& csv, std::string file)
    : file_(std::move(file)) {
  CsvRows rows(text, csv.delimiter[0], file_);
  if (!rows.next()) throw Error(fmt::format("{}: no rows", file_), "give a file with samples");
  width_ = rows.cells().size();
  const std::vector<std::string> first(rows.cells().begin(), rows.cells().end());
  const std::vector<std::string_view> second =
      rows.next() ? rows.cells() : std::vector<std::string_view>{};
  bool is_unlike_below = false;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    is_unlike_below = is_unlike_below || (!number_in(first[i]) && number_in(second[i]));
  }
  // What the recipe leaves to the file.
  has_header_ = is_unlike_below || uses_names(csv);
  if (csv.header) has_header_ = *csv.header;
  if (has_header_) names_ = first;
}

std::vector<std::size_t> Columns::of(const std::string& name, const recipe::CsvField& field) const {
  std::vector<std::size_t> out;
  for (const auto& column : field.columns) {
    if (const auto* number = std::get_if<std::int64_t>(&column)) {
      add_range(name, *number, *number + 1, out);
    } else if (const auto range = schema::column_range(std::get<std::string>(column))) {
      add_range(name, range->first, range->second, out);
    } else {
      out.push_back(index_of(name, std::get<std::string>(column)));
    }
  }
  return out;
}

void Columns::add_range(const std::string& field, std::int64_t begin, std::int64_t end,
                        std::vector<std::size_t>& out) const {
  if (begin < 0 || end > static_cast<std::int64_t>(width_)) {
    throw Error(
        fmt::format("{}: there is no column {}", file_, begin < 0 ? begin : end - 1),
        fmt::format("field '{}' reads it; there are {} columns, counted from 0", field, width_));
  }
  for (std::int64_t i = begin; i < end; ++i) out.push_back(static_cast<std::size_t>(i));
}

std::size_t Columns::index_of(const std::string& field, const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  const std::vector<std::string_view> candidates(names_.begin(), names_.end());
  const std::string_view near = schema::nearest(name, candidates);
  throw Error(fmt::format("{}: there is no column '{}'", file_, name),
              near.empty()
                  ? fmt::format("field '{}' reads it; the first line names the columns", field)
                  : fmt::format("field '{}' reads it; did you mean '{}'?", field, near));
}

}  // namespace knead::data
