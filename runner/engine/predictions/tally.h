#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace knead::engine {

/// Holds what a model made of one sample.
struct JudgedSample {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::uint64_t sample = 0;   // place in the set
  double loss = 0;            // by itself
  double target = kNone;      // class or number; NaN if there is no single one
  double predicted = kNone;   // the same
  double confidence = kNone;  // probability of the predicted class; NaN without classes

  bool has_class() const { return confidence == confidence; }
};

/// Sums up the predictions of a set in bounded memory: the worst and the best ones, how often
/// classes were confused, how confidence and truth agree, and some pairs of numbers. The result
/// does not depend on the order of the samples, so that it is the same to the last bit however
/// ranks share a set.
class PredictionTally {
 public:
  static constexpr std::size_t kBins = 15;         // as in Guo et al., 2017
  static constexpr std::size_t kMostPoints = 500;  // a chart shows them

  /// `kept`: how many of the worst and of the best predictions are kept.
  explicit PredictionTally(std::size_t kept) : kept_(kept) {}

  /// Adds a sample. `classes`: how many there are, if it has a class.
  void add(const JudgedSample& sample, std::uint64_t classes);

  /// Adds how sure the model was of one of several targets of a sample, such as a token of a text,
  /// and whether it was right. Of these only the calibration is kept.
  void add_item(float confidence, bool is_right);

  /// Adds what is true and what was predicted, for number `number` of the whole set.
  void add_point(std::uint64_t number, double is, double predicted);

  /// Adds the samples of another part of the set.
  void merge(const PredictionTally& other);

  /// Returns all of it as numbers, and makes it of them.
  std::vector<double> numbers() const;
  static PredictionTally from(std::size_t kept, std::span<const double> numbers);

  std::uint64_t samples() const { return samples_; }
  std::uint64_t classes() const { return classes_; }
  /// Returns the samples of the largest loss, in descending order; of equal ones the first.
  const std::vector<JudgedSample>& worst() const { return worst_; }
  /// Returns those of the least loss, in ascending order.
  const std::vector<JudgedSample>& best() const { return best_; }
  /// Returns how often a class, the first, was taken for the second.
  const std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t>& pairs() const {
    return pairs_;
  }

  struct Bin {
    std::uint64_t count = 0;
    std::uint64_t right = 0;
    std::uint64_t confidence = 0;  // sum, in units of 2^-24: integers add up alike in any order
  };
  /// Returns the parts of 0 … 1 in which confidences lie.
  const std::array<Bin, kBins>& bins() const { return bins_; }

  struct Point {
    std::uint64_t key = 0;  // the points of the least keys are kept
    double is = 0;
    double predicted = 0;
  };
  /// Returns some points, drawn by their number alone, in the order of their keys.
  const std::vector<Point>& points() const { return points_; }

 private:
  void keep(const JudgedSample& sample);
  void keep(const Point& point);

  std::size_t kept_;
  std::uint64_t samples_ = 0;
  std::uint64_t classes_ = 0;
  std::vector<JudgedSample> worst_, best_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> pairs_;
  std::array<Bin, kBins> bins_{};
  std::vector<Point> points_;
};

}  // namespace knead::engine
