#include "runner/sweep/search/tpe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runner/sweep/search/parzen.h"
#include "runner/sweep/search/random.h"
#include "runner/sweep/search/sobol.h"

namespace knead::sweep {
namespace {

// The constants of this file and of parzen.cpp were chosen by the regrets on the functions of
// tools/compare/searches.

/// The first trials, which do not depend on results.
constexpr std::size_t kStartUp = 10;
/// How many points are drawn near the best trials, of which one is proposed.
constexpr int kCandidates = 24;
/// So many of a hundred trials are good ones, but not more than so many of them all.
constexpr std::size_t kGoodPercent = 15;
constexpr std::size_t kMostGood = 25;
/// How many of the other trials have full weight, the latest ones; earlier ones have less, because
/// the search has moved away from them.
constexpr std::size_t kFresh = 25;

bool has_loss(const Observation& trial) {
  return trial.loss.has_value() && std::isfinite(*trial.loss);
}

bool is_better(const Observation& one, const Observation& other) {
  const double reach = std::min(one.reach, 1.0);
  const double others_reach = std::min(other.reach, 1.0);
  return reach != others_reach ? reach > others_reach : *one.loss < *other.loss;
}

/// The weight of the trial at a place among `count` that are not good, in the order in which they
/// ran: a ramp up to the fresh ones.
double weight_of_other(std::size_t place, std::size_t count) {
  if (count <= kFresh || place + kFresh >= count) return 1;
  const auto all = static_cast<double>(count);
  const double slope =
      (all - 1) / static_cast<double>(std::max<std::size_t>(count - kFresh - 1, 1));
  return (1 + static_cast<double>(place) * slope) / all;
}

/// The good trials, the better the heavier, and the others.
struct Halves {
  std::vector<Weighted> good;
  std::vector<Weighted> others;
};

Halves halves_of(const Space& space, std::span<const Observation> history,
                 const std::vector<std::size_t>& ranked) {
  const std::size_t count = std::min((ranked.size() * kGoodPercent + 99) / 100, kMostGood);
  Halves halves;
  std::vector<bool> is_good(history.size());
  for (std::size_t rank = 0; rank < count; ++rank) {
    is_good[ranked[rank]] = true;
    const double weight = 2 * static_cast<double>(count - rank) / static_cast<double>(count + 1);
    halves.good.push_back({parts_of(space, history[ranked[rank]].point), weight});
  }
  const std::size_t others = history.size() - count;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (is_good[i]) continue;
    const double weight = weight_of_other(halves.others.size(), others);
    halves.others.push_back({parts_of(space, history[i].point), weight});
  }
  return halves;
}

/// The trials that have a loss, the best first.
std::vector<std::size_t> ranked_trials(std::span<const Observation> history) {
  std::vector<std::size_t> ranked;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (has_loss(history[i])) ranked.push_back(i);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](std::size_t a, std::size_t b) { return is_better(history[a], history[b]); });
  return ranked;
}

}  // namespace

Point tpe_point(const Space& space, std::uint64_t seed, std::uint64_t number,
                std::span<const Observation> history) {
  const std::vector<std::size_t> ranked = ranked_trials(history);
  if (ranked.size() < kStartUp) {
    return space.size() <= kMostSobolDimensions ? sobol_point(space, seed, number)
                                                : random_point(space, seed, number);
  }
  const Halves halves = halves_of(space, history, ranked);
  const ParzenEstimator good(space, halves.good);
  const ParzenEstimator others(space, halves.others);
  Draws draws(seed, number);
  Point best;
  double most = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < kCandidates; ++i) {
    Point candidate = good.draw(draws);
    const Parts parts = parts_of(space, candidate);
    const double gain = good.log_density(parts) - others.log_density(parts);
    if (gain <= most) continue;
    most = gain;
    best = std::move(candidate);
  }
  return best;
}

}  // namespace knead::sweep
