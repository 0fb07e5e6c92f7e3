#pragma once

#include <string>

#include <c10/core/ScalarType.h>

namespace knead::engine::model::numpy {

/// The decimal digits of a finite number without its sign: 0.DIGITS × 10^point.
struct FloatDigits {
  std::string digits;  // without zeros at the end; "0" for zero
  int point = 0;
};

/// Returns the fewest digits that read back as the same number of the dtype.
FloatDigits shortest_digits(double number, c10::ScalarType type);

/// Return the text of a number as NumPy prints it in arrays: with the fewest digits, but at most 8
/// behind the point, and without zeros at the end: "-1.5", "2.", "1.2e-05".
std::string positional_text(double number, c10::ScalarType type);
std::string scientific_text(double number, c10::ScalarType type);

/// Returns str() of a number of a dtype of floats: "0.1", "1e-05", "nan".
std::string number_text(double number, c10::ScalarType type);

}  // namespace knead::engine::model::numpy
