#include "runner/data/table/table.h"

#include <cstring>

namespace knead::data {

Table::Table(std::uint64_t rows, std::vector<Column> columns) : rows_(rows) {
  for (Column& column : columns) {
    fields_.push_back(std::move(column.field));
    values_.push_back(std::move(column.values));
  }
}

void Table::read(std::size_t field, const Request& request, std::byte* destination) const {
  const std::size_t bytes = fields_[field].bytes_per_sample();
  const std::byte* values = values_[field].data();
  for (const std::uint64_t row : request.rows) {
    std::memcpy(destination, values + row * bytes, bytes);
    destination += bytes;
  }
}

}  // namespace knead::data
