#include "runner/data/table/csv_columns.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "runner/data/source/packed_format.h"
#include "runner/data/table/cell.h"
#include "runner/data/table/csv_rows.h"
#include "schema/document/error.h"
#include "schema/document/suggest.h"
#include "schema/table/column_range.h"

namespace knead::data {
namespace {

/// Returns whether a field of the recipe reads a column by name.
bool uses_names(const recipe::Csv& csv) {
  for (const auto& [name, field] : csv.fields) {
    for (const auto& column : field.columns) {
      const auto* text = std::get_if<std::string>(&column);
      if (text && !schema::column_range(*text)) return true;
    }
  }
  return false;
}

/// Returns whether a row is ",0,1,2", the header that pandas writes for columns without names
/// behind an index.
bool are_counted(const std::vector<std::string>& names) {
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (trimmed(names[i]) != fmt::format("{}", i - 1)) return false;
  }
  return is_blank(names[0]) && names.size() > 1;
}

/// Returns whether a cell may be a number, also in a notation that is not read: "1,200", "$12",
/// "-inf".
bool may_be_number(std::string_view cell) {
  cell = trimmed(cell);
  const auto in_any = [&](auto test) { return std::any_of(cell.begin(), cell.end(), test); };
  const bool has_letter = in_any([](unsigned char c) { return std::isalpha(c) || c >= 0x80; });
  if (!has_letter) return in_any([](unsigned char c) { return std::isdigit(c) != 0; });
  cell.remove_prefix(cell.starts_with('-') || cell.starts_with('+') ? 1 : 0);
  static const std::set<std::string_view> kInfinities{"inf", "Inf", "INF", "infinity", "Infinity"};
  return kInfinities.contains(cell);
}

/// Returns whether the numbers of a row are 0, 1, 2 and so on, as names of columns often are.
bool count_up(const std::vector<std::string>& cells) {
  double next = 0;
  for (const std::string& cell : cells) {
    const auto number = number_in(cell);
    if (number && *number != next++) return false;
  }
  return true;
}

/// Returns whether the first row is a header: a cell in it is a word, and the cell below is a
/// number. Throws Error if other cells say that it is a sample.
bool is_header(const std::vector<std::string>& first, const std::vector<std::string_view>& second,
               const std::string& file) {
  bool has_name = false, has_number = false;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (is_missing(first[i])) continue;
    const bool is_number = number_in(first[i]).has_value();
    has_name |= !is_number && number_in(second[i]);
    has_number |= is_number || may_be_number(first[i]);
  }
  if (has_name && has_number && !count_up(first)) {
    throw Error(fmt::format("{}: the first line may be a header or a sample: some of its cells are "
                            "words, others numbers",
                            file),
                "write header: true or header: false");
  }
  return has_name || are_counted(first);
}

/// Returns a common delimiter that a cell contains, for messages; empty if none.
std::string other_delimiter(std::string_view cell, char delimiter) {
  if (delimiter != ';' && cell.find(';') != cell.npos) return "';'";
  if (delimiter != '\t' && cell.find('\t') != cell.npos) return "\"\\t\"";
  return delimiter != ',' && cell.find(',') != cell.npos ? "','" : "";
}

}  // namespace

Columns::Columns(std::string_view text, const recipe::Csv& csv, std::string file)
    : file_(std::move(file)) {
  expect_unpacked(text, file_);
  CsvRows rows(text, csv.delimiter[0], file_);
  if (!rows.next()) throw Error(fmt::format("{}: no rows", file_), "give a file with samples");
  width_ = rows.cells().size();
  const std::vector<std::string> first(rows.cells().begin(), rows.cells().end());
  const std::vector<std::string_view> second =
      rows.next() ? rows.cells() : std::vector<std::string_view>{};
  if (width_ == 1) other_delimiter_ = other_delimiter(first[0], csv.delimiter[0]);
  // The recipe may leave it to the file whether there is a header.
  if (csv.header) {
    has_header_ = *csv.header;
  } else {
    has_header_ = uses_names(csv) || is_header(first, second, file_);
  }
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
    throw Error(fmt::format("{}: there is no column {}", file_, begin < 0 ? begin : end - 1),
                fmt::format("field '{}' reads it; {}, counted from 0", field, width_words()));
  }
  for (std::int64_t i = begin; i < end; ++i) out.push_back(static_cast<std::size_t>(i));
}

std::string Columns::width_words() const {
  if (width_ != 1) return fmt::format("there are {} columns", width_);
  if (other_delimiter_.empty()) return "there is 1 column";
  return fmt::format("there is 1 column unless the delimiter is {}", other_delimiter_);
}

std::size_t Columns::index_of(const std::string& field, const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const auto place = static_cast<std::size_t>(found - names_.begin());
  const auto again = found == names_.end() ? found : std::find(found + 1, names_.end(), name);
  if (again != names_.end()) {
    throw Error(fmt::format("{}: columns {} and {} are both called '{}'", file_, place,
                            again - names_.begin(), name),
                fmt::format("field '{}' reads it; give the number of the one that is meant: they "
                            "are counted from 0",
                            field));
  }
  if (found != names_.end()) return place;
  const std::string hint =
      other_delimiter_.empty()
          ? schema::did_you_mean(name, names_, "the first line names the columns")
          : width_words();
  throw Error(fmt::format("{}: there is no column '{}'", file_, name),
              fmt::format("field '{}' reads it; {}", field, hint));
}

}  // namespace knead::data
