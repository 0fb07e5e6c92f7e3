#include "runner/data/csv.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "runner/data/cell.h"
#include "runner/data/csv_columns.h"
#include "runner/data/csv_rows.h"
#include "runner/files/read.h"
#include "schema/error.h"

namespace knead::data {
namespace {

Dtype dtype_of(recipe::CsvField::Dtype dtype) {
  switch (dtype) {
    case recipe::CsvField::Dtype::float32: return Dtype::float32;
    case recipe::CsvField::Dtype::float64: return Dtype::float64;
    case recipe::CsvField::Dtype::int64: return Dtype::int64;
    case recipe::CsvField::Dtype::bool_: return Dtype::boolean;
  }
  return Dtype::float32;
}

template <class T>
void append(std::vector<std::byte>& values, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  values.insert(values.end(), bytes, bytes + sizeof value);
}

/// Reads the cells of one field.
class FieldReader {
 public:
  FieldReader(const std::string& name, const recipe::CsvField& field, const Columns& columns)
      : scale_(field.scale), offset_(field.offset), columns_(columns.of(name, field)) {
    field_.name = name;
    field_.dtype = dtype_of(field.dtype);
    field_.shape = shape_of(field);
  }

  void read(const std::vector<std::string_view>& cells, std::string_view file, std::uint64_t line) {
    for (const std::size_t column : columns_) {
      if (!append_cell(cells[column])) refuse(cells[column], file, line, column);
    }
  }

  Table::Column take() { return {std::move(field_), std::move(values_)}; }

 private:
  std::vector<std::int64_t> shape_of(const recipe::CsvField& field) const {
    const auto count = static_cast<std::int64_t>(columns_.size());
    if (!field.shape) return count == 1 ? std::vector<std::int64_t>{} : std::vector{count};
    return *field.shape;  // the rules saw to it that it fits
  }

  bool append_cell(std::string_view cell) {
    const bool is_plain = scale_ == 1 && offset_ == 0;
    if (field_.dtype == Dtype::boolean) {
      const auto value = boolean_in(cell);
      if (value) append(values_, static_cast<std::uint8_t>(*value));
      return value.has_value();
    }
    if (field_.dtype == Dtype::int64 && is_plain) {
      const auto value = integer_in(cell);
      if (value) append(values_, *value);
      return value.has_value();
    }
    const auto number = number_in(cell);
    if (!number) return false;
    return append_number(*number * scale_ + offset_);
  }

  /// False where a whole number is wanted and this is none.
  bool append_number(double value) {
    if (field_.dtype == Dtype::float32) {
      append(values_, static_cast<float>(value));
    } else if (field_.dtype == Dtype::float64) {
      append(values_, value);
    } else if (is_exact_integer(value)) {
      append(values_, static_cast<std::int64_t>(value));
    } else {
      return false;
    }
    return true;
  }

  [[noreturn]] void refuse(std::string_view cell, std::string_view file, std::uint64_t line,
                           std::size_t column) const {
    constexpr std::size_t kMost = 40;
    const std::string_view wanted = field_.dtype == Dtype::boolean ? "0, 1, true or false"
                                    : field_.dtype == Dtype::int64 ? "a whole number"
                                                                   : "a finite number";
    throw Error(is_blank(cell) ? fmt::format("{}:{}: column {} is empty", file, line, column)
                               : fmt::format("{}:{}: column {} is not {}: '{}'", file, line, column,
                                             wanted, cell.substr(0, kMost)),
                fmt::format("field '{}' reads it; columns are counted from 0", field_.name));
  }

  double scale_;
  double offset_;
  std::vector<std::size_t> columns_;
  Field field_;
  std::vector<std::byte> values_;
};

void check_width(const CsvRows& rows, std::size_t width, std::string_view file,
                 std::uint64_t first_line) {
  if (rows.cells().size() == width) return;
  throw Error(fmt::format("{}:{}: {} columns, line {} has {}", file, rows.line(),
                          rows.cells().size(), first_line, width),
              "every row of a csv file has the same columns");
}

}  // namespace

Table read_csv(const recipe::Csv& csv) {
  const std::string file = csv.path.value().string();
  const std::string text = files::read_text(csv.path.value());
  const Columns columns(text, csv, file);
  CsvRows rows(text, csv.delimiter[0], file);
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
