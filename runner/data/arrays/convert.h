#pragma once

#include <cstddef>
#include <optional>

#include "runner/data/arrays/stored.h"
#include "runner/data/source/field.h"

namespace knead::data {

/// Describes how numbers of a file become numbers of a batch: value × scale + offset, computed in
/// double precision and then rounded to the target type. With scale 1 and offset 0 the value is
/// converted directly, so that large integers stay exact. `to` is one of the types that a field of
/// a recipe may have: boolean, uint8, int32, int64, float32 or float64.
struct Conversion {
  Stored from = Stored::float32;
  bool is_big_endian = false;
  Dtype to = Dtype::float32;
  double scale = 1;
  double offset = 0;
};

/// Converts `count` adjacent numbers. Returns the index of the first number that the target type
/// cannot hold, and stops there: a fraction or an out-of-range number for an integer type, a number
/// other than 0 and 1 for bool, a finite number that would become infinite. Infinities and NaN of
/// the file are kept by floating-point types. A number that a floating-point type can only hold
/// rounded fits. Returns std::nullopt if all numbers fit.
///
/// `from` and `to` need no alignment and must not overlap; `to` has room for all numbers. Aborts
/// the process for a target type other than those that Conversion lists.
std::optional<std::size_t> convert(const Conversion& conversion, const char* from,
                                   std::size_t count, std::byte* to);

/// Returns the type of a file that holds numbers of `dtype` unchanged. Every Dtype has one.
Stored stored_as(Dtype dtype);

/// Returns the type of a field for which the recipe names no type: float32 for scaled and
/// floating-point numbers, bool for bool, int64 for integers.
Dtype usual_dtype(Stored stored, bool is_scaled);

/// Reads the number at `from` as a double, which rounds integers beyond 2^53. `from` needs no
/// alignment.
double number_at(Stored type, bool is_big_endian, const char* from);

/// Returns whether the conversion leaves the bytes as they are, so that a sample may be copied
/// without looking at its numbers. False for bool, since a file may hold other bytes than 0 and 1,
/// which are to be refused.
bool is_copy(const Conversion& conversion);

}  // namespace knead::data
