#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "recipe.h"
#include "runner/data/field.h"

/// What tables of text have in common: numbers that are read one by one into memory.

namespace knead::data {

template <class T>
void append(std::vector<std::byte>& values, T value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  values.insert(values.end(), bytes, bytes + sizeof value);
}

/// Appends a number as the type; false where it cannot hold it: a fraction as int64, or other than
/// 0 and 1 as bool.
bool append_number(std::vector<std::byte>& values, Dtype dtype, double number);

/// "a whole number": what a cell of the type has to be, in words.
std::string_view wanted_words(Dtype dtype);

/// The type of a recipe's CsvField or JsonlField.
template <class Recipe>
Dtype dtype_of(const Recipe& field) {
  if (field.dtype) return dtype_named(recipe::to_string(*field.dtype));
  return field.categories ? Dtype::int64 : Dtype::float32;
}

}  // namespace knead::data
