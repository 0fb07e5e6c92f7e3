#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace knead::engine::model::numpy {

// Arithmetic of two numbers of one C++ type where NumPy differs from C++.

/// Divides as Python does: toward minus infinity. A whole number divided by 0 gives 0, as in NumPy.
template <typename Number>
Number floor_divided(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<Number>) {
      if (b == -1) return static_cast<Number>(0 - static_cast<std::make_unsigned_t<Number>>(a));
      return static_cast<Number>(a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0));
    } else {
      return static_cast<Number>(a / b);
    }
  } else {
    if (b == 0) return a / b;
    Number remainder = std::fmod(a, b);
    Number quotient = (a - remainder) / b;
    if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(Number(0), a / b);
    const Number floor = std::floor(quotient);
    return quotient - floor > Number(0.5) ? floor + 1 : floor;
  }
}

template <typename Number>
Number remainder_of(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<Number>) {
      if (b == -1) return 0;
      const auto rest = static_cast<Number>(a % b);
      return rest != 0 && (rest < 0) != (b < 0) ? static_cast<Number>(rest + b) : rest;
    } else {
      return static_cast<Number>(a % b);
    }
  } else {
    const Number rest = std::fmod(a, b);
    if (b == 0) return rest;
    if (rest == 0) return std::copysign(Number(0), b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
  }
}

template <typename Number>
Number fmod_of(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    if (b == 0 || (std::is_signed_v<Number> && b == static_cast<Number>(-1))) return 0;
    return static_cast<Number>(a % b);
  } else {
    return std::fmod(a, b);
  }
}

/// Computes a power by squaring; whole numbers wrap around.
template <typename Number>
Number power_of(Number base, Number exponent) {
  if constexpr (std::is_integral_v<Number>) {
    std::uint64_t product = 1;
    auto factor = static_cast<std::uint64_t>(base);
    for (auto left = static_cast<std::uint64_t>(exponent); left > 0; left >>= 1U) {
      if (left & 1U) product *= factor;
      factor *= factor;
    }
    return static_cast<Number>(product);
  } else {
    return std::pow(base, exponent);
  }
}

}  // namespace knead::engine::model::numpy
