#include "runner/sweep/search/parzen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "runner/plan/random.h"
#include "runner/sweep/search/elementary.h"

namespace knead::sweep {
namespace {

/// The mean distance of each of some shares to its neighbours on both sides; of the first and the
/// last to their only one, and of a single one to the farther bound.
std::vector<double> distances_of(const std::vector<double>& shares) {
  if (shares.size() == 1) return {std::max(shares[0], 1 - shares[0])};
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shares[a] < shares[b]; });
  std::vector<double> distances(shares.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t before = place > 0 ? place - 1 : place;
    const std::size_t behind = place + 1 < order.size() ? place + 1 : place;
    distances[order[place]] =
        (shares[order[behind]] - shares[order[before]]) / static_cast<double>(behind - before);
  }
  return distances;
}

/// The least width of a kernel, of so many: points that lie close to each other must not rule out
/// what is between them and others. The more there are, the more is known.
double least_sigma(std::size_t kernels) {
  constexpr double kMostCount = 100;
  return 1 / std::min(kMostCount, static_cast<double>(kernels) + 1);
}

}  // namespace

double Draws::next() {
  const std::uint64_t bits =
      plan::random_bits(seed_, plan::Purpose::sweep_candidate, count_++, trial_);
  return std::ldexp(static_cast<double>(bits >> 11), -53);
}

Parts parts_of(const Space& space, const Point& point) {
  Parts parts;
  for (std::size_t i = 0; i < space.size(); ++i) parts.push_back(part_of(space[i], point[i]));
  return parts;
}

ParzenEstimator::ParzenEstimator(const Space& space, const std::vector<Weighted>& points)
    : space_(space) {
  for (const Weighted& point : points) weights_.push_back(point.weight);
  weights_.push_back(1);
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& weight : weights_) weight /= sum;
  for (std::size_t i = 0; i < space.size(); ++i) {
    std::vector<double> centers;
    for (const Weighted& point : points) centers.push_back(point.parts[i].middle());
    factors_.push_back(
        std::visit([&](const auto& kind) { return factors_of(kind, centers); }, space[i]));
  }
}

ParzenEstimator::CutNormal ParzenEstimator::cut_normal_at(double center, double sigma) {
  const double mass = normal_cdf((1 - center) / sigma) - normal_cdf(-center / sigma);
  return {center, sigma, natural_log(mass)};
}

std::vector<ParzenEstimator::Factor> ParzenEstimator::factors_of(
    const Choices& choices, const std::vector<double>& centers) const {
  const auto count = static_cast<double>(choices.count);
  // How often each choice has been seen in advance, by all kernels together.
  constexpr double kInAdvance = 3;
  const double advance = kInAdvance / static_cast<double>(weights_.size());
  const double other = advance / (advance * count + 1);
  std::vector<Factor> factors;
  for (const double center : centers)
    factors.push_back(Chosen{center, other + 1 - other * count, other});
  factors.push_back(Chosen{0.5 / count, 1 / count, 1 / count});
  return factors;
}

std::vector<ParzenEstimator::Factor> ParzenEstimator::factors_of(
    const Range&, const std::vector<double>& centers) const {
  const std::vector<double> distances = distances_of(centers);
  const double least = least_sigma(weights_.size());
  std::vector<Factor> factors;
  for (std::size_t i = 0; i < centers.size(); ++i)
    factors.push_back(cut_normal_at(centers[i], std::max(distances[i], least)));
  factors.push_back(cut_normal_at(0.5, 1));
  return factors;
}

double ParzenEstimator::drawn_share(const CutNormal& factor, double share) {
  const auto& [center, sigma, log_mass] = factor;
  const double value = cut_normal(-center / sigma, (1 - center) / sigma, share);
  return std::clamp(center + sigma * value, 0.0, 1.0);
}

double ParzenEstimator::drawn_share(const Chosen& factor, double share) {
  // The own choice has what it is more probable than others, and its part of the rest.
  const double more = factor.own - factor.other;
  return share < more ? factor.center : (share - more) / (1 - more);
}

Point ParzenEstimator::draw(Draws& draws) const {
  double left = draws.next();
  std::size_t kernel = 0;
  while (kernel + 1 < weights_.size() && left >= weights_[kernel]) left -= weights_[kernel++];
  Point point;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    const double share = draws.next();
    const double drawn = std::visit([&](const auto& factor) { return drawn_share(factor, share); },
                                    factors_[i][kernel]);
    point.push_back(coordinate_at(space_[i], drawn));
  }
  return point;
}

double ParzenEstimator::log_at(const CutNormal& factor, const Part& part) {
  const double begin = (part.begin - factor.center) / factor.sigma;
  if (part.begin == part.end) {
    return -0.5 * begin * begin - natural_log(factor.sigma) - kHalfLogOfTwoPi - factor.log_mass;
  }
  const double mass = normal_cdf((part.end - factor.center) / factor.sigma) - normal_cdf(begin);
  return natural_log(std::max(mass, std::numeric_limits<double>::min())) - factor.log_mass;
}

double ParzenEstimator::log_at(const Chosen& factor, const Part& part) {
  const bool is_own = part.begin < factor.center && factor.center < part.end;
  return natural_log(is_own ? factor.own : factor.other);
}

double ParzenEstimator::log_density(const Parts& point) const {
  std::vector<double> logs;
  for (std::size_t kernel = 0; kernel < weights_.size(); ++kernel) {
    double log = natural_log(weights_[kernel]);
    for (std::size_t i = 0; i < point.size(); ++i) {
      log += std::visit([&](const auto& factor) { return log_at(factor, point[i]); },
                        factors_[i][kernel]);
    }
    logs.push_back(log);
  }
  // The largest is taken out, so that no power underflows to a sum of 0.
  constexpr double kFarBelow = 100;
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double log : logs) sum += log < most - kFarBelow ? 0 : exponential(log - most);
  return most + natural_log(sum);
}

}  // namespace knead::sweep
