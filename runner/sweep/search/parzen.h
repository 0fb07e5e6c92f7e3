#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "runner/sweep/search/coordinate.h"

namespace knead::sweep {

/// Returns the next number of [0, 1) of a stream that belongs to a seed and a trial.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t trial) : seed_(seed), trial_(trial) {}

  double next();

 private:
  std::uint64_t seed_;
  std::uint64_t trial_;
  std::uint32_t count_ = 0;
};

/// A place in a space: a part of each dimension.
using Parts = std::vector<Part>;

/// Returns the parts of the coordinates of a point.
Parts parts_of(const Space& space, const Point& point);

/// A point of the past with its share in a density, relative to the shares of others.
struct Weighted {
  Parts parts;
  double weight = 1;  // above 0
};

/// A density over a space: a weighted sum of kernels, one around each of some points and one over
/// the whole space, of weight 1. A kernel is a product over the dimensions. For a range it has a
/// normal density cut at the bounds, as wide as the mean distance to the neighbours among the
/// points; for choices, a probability of the point's own and another of each other one. After
/// Bergstra et al.: Algorithms for Hyper-Parameter Optimization, 2011, with one kernel for all
/// dimensions of a point as in Falkner et al.: BOHB, 2018.
class ParzenEstimator {
 public:
  /// `space` must outlive the estimator.
  ParzenEstimator(const Space& space, const std::vector<Weighted>& points);

  /// Returns a point that is drawn from the density.
  Point draw(Draws& draws) const;

  /// Returns the logarithm of the density at a point; in discrete dimensions, of the probability.
  double log_density(const Parts& point) const;

 private:
  /// The factor of a kernel for a range, over the shares of the range.
  struct CutNormal {
    double center = 0.5;
    double sigma = 1;
    double log_mass = 0;  // of the normal density within the bounds
  };
  /// The factor of a kernel for choices.
  struct Chosen {
    double center = 0.5;  // the middle of the part of the own choice
    double own = 0;       // its probability
    double other = 0;     // the probability of each other choice
  };
  using Factor = std::variant<CutNormal, Chosen>;

  static CutNormal cut_normal_at(double center, double sigma);
  std::vector<Factor> factors_of(const Choices& choices, const std::vector<double>& centers) const;
  std::vector<Factor> factors_of(const Range& range, const std::vector<double>& centers) const;
  static double drawn_share(const CutNormal& factor, double share);
  static double drawn_share(const Chosen& factor, double share);
  static double log_at(const CutNormal& factor, const Part& part);
  static double log_at(const Chosen& factor, const Part& part);

  const Space& space_;
  std::vector<double> weights_;               // of each kernel; their sum is 1
  std::vector<std::vector<Factor>> factors_;  // by dimension, then kernel
};

}  // namespace knead::sweep
