#include "runner/data/table/table_values.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "runner/data/table/cell.h"

namespace knead::data {

bool append_number(std::vector<std::byte>& values, Dtype dtype, double number) {
  if (dtype == Dtype::float32 && std::isfinite(static_cast<float>(number))) {
    append(values, static_cast<float>(number));
  } else if (dtype == Dtype::float64 && std::isfinite(number)) {
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

std::string misfit_words(Dtype dtype, std::optional<double> number) {
  if (dtype == Dtype::boolean) return "is not 0, 1, true or false";
  const bool is_whole = number && *number == std::floor(*number);
  if (dtype == Dtype::int64 && !is_whole) return "is not a whole number";
  if (!number) return "is not a finite number";
  // Such a number is within int64, but a double between 2^53 and 2^63 may stand for several
  // integers.
  if (dtype == Dtype::int64 && std::abs(*number) < 0x1p63) return "does not fit int64 exactly";
  return fmt::format("does not fit {}", word_of(dtype));
}

}  // namespace knead::data
