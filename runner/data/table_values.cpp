#include "runner/data/table_values.h"

#include <cstdint>

#include "runner/data/cell.h"

namespace knead::data {

bool append_number(std::vector<std::byte>& values, Dtype dtype, double number) {
  if (dtype == Dtype::float32) {
    append(values, static_cast<float>(number));
  } else if (dtype == Dtype::float64) {
    append(values, number);
  } else if (dtype == Dtype::boolean && (number == 0 || number == 1)) {
    append(values, static_cast<std::uint8_t>(number));
  } else if (dtype == Dtype::int64 && is_exact_integer(number)) {
    append(values, static_cast<std::int64_t>(number));
  } else {
    return false;
  }
  return true;
}

std::string_view wanted_words(Dtype dtype) {
  if (dtype == Dtype::boolean) return "0, 1, true or false";
  return dtype == Dtype::int64 ? "a whole number" : "a finite number";
}

}  // namespace knead::data
