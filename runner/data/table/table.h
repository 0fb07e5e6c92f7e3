#pragma once

#include "runner/data/source/source.h"

namespace knead::data {

/// Holds all samples in memory, converted to the types of their fields, as the readers of text
/// tables make them. Reading copies bytes and throws nothing.
class Table final : public Source {
 public:
  /// Holds a field of all rows: (rows, shape…), row-major.
  struct Column {
    Field field;
    std::vector<std::byte> values;
  };

  /// Takes columns that all have `rows` rows; that is not checked.
  Table(std::uint64_t rows, std::vector<Column> columns);

  std::uint64_t rows() const override { return rows_; }
  const std::vector<Field>& fields() const override { return fields_; }
  void read(std::size_t field, const Request& request, std::byte* destination) const override;

  /// Returns the values of a field as they lie in memory: (rows, shape…), row-major. `field`: index
  /// in fields(). The reference is valid as long as the table.
  const std::vector<std::byte>& values(std::size_t field) const { return values_[field]; }

 private:
  std::uint64_t rows_;
  std::vector<Field> fields_;
  std::vector<std::vector<std::byte>> values_;  // by field
};

}  // namespace knead::data
