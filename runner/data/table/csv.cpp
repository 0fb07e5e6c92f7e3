#include "runner/data/table/csv.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "runner/data/table/categories.h"
#include "runner/data/table/cell.h"
#include "runner/data/table/csv_columns.h"
#include "runner/data/table/csv_rows.h"
#include "runner/data/table/table_values.h"
#include "runner/files/mapped_file.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

/// Reads the cells of one field into memory.
class FieldReader {
 public:
  FieldReader(const std::string& name, const recipe::CsvField& field, const Columns& columns)
      : scale_(field.scale), offset_(field.offset), columns_(columns.of(name, field)) {
    field_.name = name;
    field_.dtype = dtype_of(field);
    if (field.categories) categories_.emplace(*field.categories);
    field_.shape = shape_of(field);
  }

  void read(const std::vector<std::string_view>& cells, std::string_view file, std::uint64_t line) {
    for (const std::size_t column : columns_) {
      if (categories_) {
        append_word(cells[column], fmt::format("{}:{}: column {}", file, line, column));
      } else if (!append_cell(cells[column])) {
        refuse(cells[column], file, line, column);
      }
    }
  }

  Table::Column take() { return {std::move(field_), std::move(values_)}; }

 private:
  std::vector<std::int64_t> shape_of(const recipe::CsvField& field) const {
    const auto count = static_cast<std::int64_t>(columns_.size());
    if (!field.shape) return count == 1 ? std::vector<std::int64_t>{} : std::vector{count};
    return *field.shape;  // the rules of recipes have checked that it fits
  }

  bool is_plain() const { return scale_ == 1 && offset_ == 0; }

  /// Appends the number of a cell. Returns false if the cell is not one or does not fit the type.
  bool append_cell(std::string_view cell) {
    if (field_.dtype == Dtype::boolean) {
      const auto value = boolean_in(cell);
      if (value) append(values_, static_cast<std::uint8_t>(*value));
      return value.has_value();
    }
    // Integers are read directly, because a double cannot hold all of them.
    if (field_.dtype == Dtype::int64 && is_plain()) {
      const auto value = integer_in(cell);
      if (value) append(values_, *value);
      return value.has_value();
    }
    const auto number = number_in(cell);
    if (!number) return false;
    return append_number(values_, field_.dtype, *number * scale_ + offset_);
  }

  void append_word(std::string_view cell, const std::string& where) {
    append_number(values_, field_.dtype,
                  static_cast<double>(categories_->number_of(trimmed(cell), where, "categories")));
  }

  [[noreturn]] void refuse(std::string_view cell, std::string_view file, std::uint64_t line,
                           std::size_t column) const {
    const std::string where = fmt::format("{}:{}: column {}", file, line, column);
    constexpr std::string_view kCounted = "columns are counted from 0";
    if (is_blank(cell)) {
      throw Error(where + " is empty",
                  fmt::format("field '{}' reads it; {}", field_.name, kCounted));
    }
    std::optional<double> number = number_in(cell);
    if (number) *number = *number * scale_ + offset_;
    const bool is_scaled = number && !is_plain();
    const std::string why = misfit_words(field_.dtype, number);
    constexpr std::size_t kMost = 40;
    const std::string message = fmt::format("{}{} {}: '{}'", where, is_scaled ? ", scaled," : "",
                                            why, cell.substr(0, kMost));
    if (why.starts_with("does not fit"))
      throw Error(message, fmt::format("{}; {}", misfit_remedy(field_, true), kCounted));
    const std::string_view advice = number ? "" : number_advice(cell);
    throw Error(message, fmt::format("{}{}field '{}' reads it; {}", advice,
                                     advice.empty() ? "" : "; ", field_.name, kCounted));
  }

  std::optional<Categories> categories_;
  double scale_;
  double offset_;
  std::vector<std::size_t> columns_;
  Field field_;
  std::vector<std::byte> values_;
};

/// Throws knead::Error if a row has another number of cells than the first.
void check_width(const CsvRows& rows, std::size_t width, std::string_view file,
                 std::uint64_t first_line) {
  if (rows.cells().size() == width) return;
  if (rows.cells().size() == 1 && is_blank(rows.cells()[0])) {
    throw Error(fmt::format("{}:{}: the line is blank", file, rows.line()),
                "leave it out: only lines at the end may be blank");
  }
  throw Error(fmt::format("{}:{}: {} columns, line {} has {}", file, rows.line(),
                          rows.cells().size(), first_line, width),
              "every row of a csv file has the same columns");
}

}  // namespace

Table read_csv(const recipe::Csv& csv) {
  const std::string file = csv.path.value().string();
  const files::Bytes text = files::map_file(csv.path.value());
  const Columns columns(text.view, csv, file);
  CsvRows rows(text.view, csv.delimiter[0], file);
  std::vector<FieldReader> readers;
  for (const auto& [name, field] : csv.fields) readers.emplace_back(name, field, columns);

  std::uint64_t count = 0;
  std::uint64_t first_line = 0;
  bool is_header = columns.has_header();
  while (rows.next()) {
    if (first_line == 0) first_line = rows.line();
    check_width(rows, columns.width(), file, first_line);
    if (!std::exchange(is_header, false)) {
      for (FieldReader& reader : readers) reader.read(rows.cells(), file, rows.line());
      ++count;
    }
  }
  if (count == 0) throw Error(fmt::format("{}: no rows", file), "give a file with samples");
  std::vector<Table::Column> columns_read;
  for (FieldReader& reader : readers) columns_read.push_back(reader.take());
  return {count, std::move(columns_read)};
}

}  // namespace knead::data
