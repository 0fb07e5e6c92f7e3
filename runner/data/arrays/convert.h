#pragma once

#include <cstddef>
#include <optional>

#include "runner/data/arrays/stored.h"
#include "runner/data/source/field.h"

namespace knead::data {

/// How numbers of a file become numbers of a batch: value × scale + offset, computed in double
/// precision, then rounded to the type; where there is neither, a number stays what it is.
struct Conversion {
  Stored from = Stored::float32;
  bool is_big_endian = false;
  Dtype to = Dtype::float32;
  double scale = 1;
  double offset = 0;
};

/// Converts `count` numbers that lie one after another. Gives the place of the first that the type
/// cannot hold: a fraction or a number out of range for whole numbers, other than 0 and 1 for bool,
/// a finite number that would be infinite. What is infinite or no number in the file stays so.
std::optional<std::size_t> convert(const Conversion& conversion, const char* from,
                                   std::size_t count, std::byte* to);

/// The type that a file would have these numbers in.
Stored stored_as(Dtype dtype);

/// The type of a field whose recipe leaves it to the file: what a model can use.
Dtype usual_dtype(Stored stored, bool is_scaled);

/// The number at `from`.
double number_at(Stored type, bool is_big_endian, const char* from);

/// Whether bytes of a file are those of the batch.
bool is_copy(const Conversion& conversion);

}  // namespace knead::data
