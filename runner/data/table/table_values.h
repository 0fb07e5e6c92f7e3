#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "recipe/tables.h"
#include "runner/data/source/field.h"

/// Functions shared by the readers of text tables, which append numbers one by one.

namespace knead::data {

/// Appends the bytes of a number, in the machine's byte order and without padding.
template <class T>
void append(std::vector<std::byte>& values, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  values.insert(values.end(), bytes, bytes + sizeof value);
}

/// Appends a number as `dtype`: boolean, int64, float32 or float64. Returns false and appends
/// nothing if the type cannot hold the number: a fraction for int64 or an integer from 2^53 on,
/// which a double may have rounded; a number other than 0 and 1 for bool; a number that would be
/// infinite; and any number for another dtype.
bool append_number(std::vector<std::byte>& values, Dtype dtype, double number);

/// Tells why a type cannot hold a value of a file: "is not a whole number", "does not fit float32".
/// `number`: std::nullopt if the value is not a number.
std::string misfit_words(Dtype dtype, std::optional<double> number);

/// Returns the type of a CsvField or JsonlField: the written one, else int64 for categories and
/// float32 for numbers. Does not look at the file.
template <class Recipe>
Dtype dtype_of(const Recipe& field) {
  if (field.dtype) return dtype_named(recipe::to_string(*field.dtype));
  return field.categories ? Dtype::int64 : Dtype::float32;
}

}  // namespace knead::data
