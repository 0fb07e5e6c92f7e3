#include "runner/engine/model/python/numpy/sine.h"

#include <cmath>

namespace knead::engine::model::numpy {
namespace {

// Beyond these NumPy calls the C library.
constexpr float kMostOfSine = 117435.992F;
constexpr float kMostOfCosine = 71476.0625F;

/// Holds a number as a multiple of π/2 and the rest, which is at most π/4.
struct Reduced {
  int quadrant;
  float rest;
};

/// Subtracts the nearest multiple of π/2, given as three floats of decreasing size (Cody and Waite,
/// Software Manual for the Elementary Functions, 1980), each with one rounding.
Reduced reduced(float x) {
  constexpr float magic = 0x1.8p+23F;  // adding it rounds to a whole number
  // Volatile: the compiler must not cancel the two additions.
  const volatile float rounded = std::fma(x, 0x1.45f306p-1F, magic);
  const float quadrant = rounded - magic;
  float rest = std::fma(quadrant, -0x1.921fb0p+00F, x);
  rest = std::fma(quadrant, -0x1.5110b4p-22F, rest);
  rest = std::fma(quadrant, -0x1.846988p-48F, rest);
  return {static_cast<int>(quadrant), rest};
}

float cosine_near_zero(float x) {
  const float square = x * x;
  float sum = std::fma(0x1.98e616p-16F, square, -0x1.6c06dcp-10F);
  sum = std::fma(sum, square, 0x1.55553cp-05F);
  sum = std::fma(sum, square, -0x1.0p-01F);
  return std::fma(sum, square, 1.0F);
}

float sine_near_zero(float x) {
  const float square = x * x;
  float sum = std::fma(0x1.7d3bbcp-19F, square, -0x1.a06bbap-13F);
  sum = std::fma(sum, square, 0x1.11119ap-07F);
  sum = std::fma(sum, square, -0x1.555556p-03F);
  // Adding 0 makes -0 a product of 0: the sine of -0 is then -0.
  sum = std::fma(sum, square, 0.0F);
  return std::fma(sum, x, x);
}

/// Returns the sine of the reduced number that is `more` quadrants further.
float of_quadrant(const Reduced& reduced, int more) {
  const int quadrant = reduced.quadrant + more;
  const float value =
      (quadrant & 1) != 0 ? cosine_near_zero(reduced.rest) : sine_near_zero(reduced.rest);
  return (quadrant & 2) != 0 ? -value : value;
}

}  // namespace

float sine(float x) {
  return std::abs(x) <= kMostOfSine ? of_quadrant(reduced(x), 0) : std::sin(x);
}

float cosine(float x) {
  return std::abs(x) <= kMostOfCosine ? of_quadrant(reduced(x), 1) : std::cos(x);
}

double sine(double x) { return std::sin(x); }

double cosine(double x) { return std::cos(x); }

}  // namespace knead::engine::model::numpy
