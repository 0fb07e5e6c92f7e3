#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace knead::track {

/// Holds how the numbers of a tensor are spread over equal parts between the least and the largest.
/// Numbers that are not finite are left out.
struct Histogram {
  std::string name{};  // "parameters/layers.0.weight"
  std::uint64_t numbers = 0;
  double least = 0;
  double largest = 0;
  double sum = 0;
  double sum_of_squares = 0;
  std::vector<double> limits{};  // the upper end of each part, in ascending order
  std::vector<double> counts{};  // as many
};

/// Holds the histograms of a model at a step.
struct Histograms {
  std::uint64_t step = 0;
  std::vector<Histogram> all{};
};

/// Returns the histogram of numbers, each multiplied with `scale`. Of no finite number it is empty.
Histogram histogram_of(std::string name, std::span<const float> numbers, double scale = 1);

}  // namespace knead::track
