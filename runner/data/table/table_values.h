#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/data/source/field.h"

/// What tables of text have in common: numbers that are read one by one into memory.

namespace knead::data {

template <class T>
void append(std::vector<std::byte>& values, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  values.insert(values.end(), bytes, bytes + sizeof value);
}

/// Appends a number as the type; false where it cannot hold it: a fraction as int64, other than 0
/// and 1 as bool, or one that would be infinite.
bool append_number(std::vector<std::byte>& values, Dtype dtype, double number);

/// "is not a whole number", "does not fit float32": why the type cannot hold what a file says.
/// `number`: nothing where it says something else.
std::string misfit_words(Dtype dtype, std::optional<double> number);

/// The type of a recipe's CsvField or JsonlField.
template <class Recipe>
Dtype dtype_of(const Recipe& field) {
  if (field.dtype) return dtype_named(recipe::to_string(*field.dtype));
  return field.categories ? Dtype::int64 : Dtype::float32;
}

}  // namespace knead::data
