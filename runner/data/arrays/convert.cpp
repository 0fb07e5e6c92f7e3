#include "runner/data/arrays/convert.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace knead::data {
namespace {

/// Represents a float16 of a file.
struct Half {
  std::uint16_t bits;
};
/// Represents a bfloat16 of a file.
struct Brain {
  std::uint16_t bits;
};
/// Represents a bool of a file, whose byte may have any value.
struct Truth {
  std::uint8_t value;
};

/// Returns the value of a bfloat16, which is the upper half of a float32.
float number(Brain value) { return std::bit_cast<float>(std::uint32_t{value.bits} << 16); }

/// Returns the value of a float16 (IEEE 754 binary16): a sign, 5 bits of exponent, 10 bits of
/// fraction.
float number(Half value) {
  const float sign = (value.bits & 0x8000) != 0 ? -1.0F : 1.0F;
  const int exponent = (value.bits >> 10) & 0x1F;
  const int fraction = value.bits & 0x3FF;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  if (exponent < 0x1F)
    return sign * std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
  return fraction == 0 ? sign * std::numeric_limits<float>::infinity()
                       : std::numeric_limits<float>::quiet_NaN();
}

std::uint8_t number(Truth value) { return value.value; }

template <class T>
T number(T value) {
  return value;
}

template <class T>
T load(const char* from, bool is_big_endian) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if (is_big_endian) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// Converts a value to `To`. Returns false if `To` cannot hold it.
template <class To, class From>
bool put(From value, To& out) {
  if constexpr (std::is_same_v<To, bool>) {
    out = value == 1;
    return value == 0 || value == 1;
  } else if constexpr (std::is_floating_point_v<To>) {
    out = static_cast<To>(value);
    return !std::isinf(out) || std::isinf(static_cast<double>(value));
  } else if constexpr (std::is_integral_v<From>) {
    out = static_cast<To>(value);
    return std::in_range<To>(value);
  } else {
    // The first number beyond an integer type is a power of two, which every floating-point type
    // holds exactly; the largest integer itself may round up to it.
    constexpr From kEnd =
        From{2} * static_cast<From>(To{1} << (std::numeric_limits<To>::digits - 1));
    const bool fits = value == std::floor(value) && value < kEnd &&
                      value >= static_cast<From>(std::numeric_limits<To>::min());
    out = fits ? static_cast<To>(value) : To{0};
    return fits;
  }
}

/// Scales a value in double precision and converts it. Returns false if `To` cannot hold the result
/// or if scaling made a finite value infinite.
template <class To>
bool put_scaled(const Conversion& how, double value, To& out) {
  const double scaled = value * how.scale + how.offset;
  return put(scaled, out) && (std::isfinite(scaled) || !std::isfinite(value));
}

template <class From, class To>
std::optional<std::size_t> convert_all(const Conversion& how, const char* from, std::size_t count,
                                       std::byte* to) {
  const bool is_plain = how.scale == 1 && how.offset == 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = number(load<From>(from + i * sizeof(From), how.is_big_endian));
    To out;
    const bool fits = is_plain ? put(value, out) : put_scaled(how, static_cast<double>(value), out);
    if (!fits) return i;
    std::memcpy(to + i * sizeof(To), &out, sizeof(To));
  }
  return std::nullopt;
}

/// Calls `f` with a value of the C++ type that represents a stored type.
template <class F>
auto with_type(Stored type, const F& f) {
  switch (type) {
    case Stored::boolean: return f(Truth{});
    case Stored::uint8: return f(std::uint8_t{});
    case Stored::int8: return f(std::int8_t{});
    case Stored::uint16: return f(std::uint16_t{});
    case Stored::int16: return f(std::int16_t{});
    case Stored::uint32: return f(std::uint32_t{});
    case Stored::int32: return f(std::int32_t{});
    case Stored::uint64: return f(std::uint64_t{});
    case Stored::int64: return f(std::int64_t{});
    case Stored::float16: return f(Half{});
    case Stored::bfloat16: return f(Brain{});
    case Stored::float32: return f(float{});
    case Stored::float64: return f(double{});
  }
  std::abort();
}

}  // namespace

std::optional<std::size_t> convert(const Conversion& how, const char* from, std::size_t count,
                                   std::byte* to) {
  return with_type(how.from, [&]<class From>(From) -> std::optional<std::size_t> {
    switch (how.to) {
      case Dtype::boolean: return convert_all<From, bool>(how, from, count, to);
      case Dtype::uint8: return convert_all<From, std::uint8_t>(how, from, count, to);
      case Dtype::int32: return convert_all<From, std::int32_t>(how, from, count, to);
      case Dtype::int64: return convert_all<From, std::int64_t>(how, from, count, to);
      case Dtype::float32: return convert_all<From, float>(how, from, count, to);
      case Dtype::float64: return convert_all<From, double>(how, from, count, to);
      default: std::abort();  // a recipe cannot ask for another type
    }
  });
}

Stored stored_as(Dtype dtype) {
  switch (dtype) {
    case Dtype::boolean: return Stored::boolean;
    case Dtype::uint8: return Stored::uint8;
    case Dtype::int8: return Stored::int8;
    case Dtype::int16: return Stored::int16;
    case Dtype::int32: return Stored::int32;
    case Dtype::int64: return Stored::int64;
    case Dtype::float16: return Stored::float16;
    case Dtype::bfloat16: return Stored::bfloat16;
    case Dtype::float32: return Stored::float32;
    case Dtype::float64: return Stored::float64;
  }
  return Stored::float32;
}

Dtype usual_dtype(Stored stored, bool is_scaled) {
  if (is_scaled || is_floating(stored)) return Dtype::float32;
  return stored == Stored::boolean ? Dtype::boolean : Dtype::int64;
}

double number_at(Stored type, bool is_big_endian, const char* from) {
  return with_type(type, [&]<class From>(From) {
    return static_cast<double>(number(load<From>(from, is_big_endian)));
  });
}

bool is_copy(const Conversion& how) {
  if (how.is_big_endian || how.scale != 1 || how.offset != 0) return false;
  return (how.from == Stored::float32 && how.to == Dtype::float32) ||
         (how.from == Stored::float64 && how.to == Dtype::float64) ||
         (how.from == Stored::int64 && how.to == Dtype::int64) ||
         (how.from == Stored::int32 && how.to == Dtype::int32) ||
         (how.from == Stored::uint8 && how.to == Dtype::uint8);
}

}  // namespace knead::data
