// These functions describe a sweep in sentences.

#include <cmath>

#include <fmt/format.h>

#include "runner/report/importance.h"
#include "runner/report/readable_text.h"
#include "runner/report/sweep_page.h"
#include "runner/sweep/output/words.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

/// Returns the squared standard error of the mean of a point.
double squared_error(const sweep::PointResult& point) {
  return *point.spread * *point.spread / static_cast<double>(point.trials.size());
}

}  // namespace

std::string verdict_of(const SweepPoints& points) {
  const sweep::Outcome& outcome = points.sweep.outcome;
  std::string words = sweep::states_in_words(outcome.trials);
  const auto best = sweep::best_point(points.points, outcome);
  if (!best) return words + "; no point has finished with a finite objective.";
  words += fmt::format("; best {} {} at point {}", readable_text(outcome.objective.metric),
                       points.value_words(*best), points.points[*best].point);
  if (outcome.seeds > 1) words += fmt::format(", the mean of {} seeds", outcome.seeds);
  return words + ".";
}

std::string certainty_of(const SweepPoints& points) {
  const auto best = sweep::best_point(points.points, points.sweep.outcome);
  if (!best) return "";
  const sweep::PointResult& first = points.points[*best];
  if (!first.spread)
    return "Each point was trained with one seed, so nobody knows how much of a difference is "
           "chance: sweep.seeds: 3 would tell.";
  std::size_t alike = 0, others = 0;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    const sweep::PointResult& point = points.points[i];
    if (i == *best || !point.is_comparable(points.sweep.outcome) || !point.spread) continue;
    ++others;
    const double error = std::sqrt(squared_error(first) + squared_error(point));
    if (std::fabs(*point.mean - *first.mean) < 2 * error) ++alike;
  }
  if (others == 0) return "";
  if (alike == 0)
    return fmt::format(
        "It is better than each of the {} others that finished by more than two "
        "standard errors of the difference.",
        others);
  return fmt::format(
      "{} of the {} other points that finished {} within two standard errors of it: the seeds do "
      "not tell which of these is best.",
      alike, others, alike == 1 ? "is" : "are");
}

std::string importance_note(std::size_t points) {
  std::string note = fmt::format(
      "The share of the variance of the objective's ranks that each key explains by itself (ε², "
      "over {} points; a key with more than six values in five groups). Pruned points count with "
      "the value that they had. What keys do only together is not seen.",
      points);
  if (points < 30) note += " So few points are a hint, no more: a share below 0.3 may be chance.";
  return note;
}

std::vector<std::pair<std::size_t, double>> ranked_keys(const SweepPoints& points) {
  std::vector<std::string> keys;
  for (const KeyAxis& axis : points.axes) keys.push_back(axis.key());
  std::vector<std::vector<std::string>> values;
  std::vector<double> objective;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    if (!points.points[i].mean || !std::isfinite(*points.points[i].mean)) continue;
    values.push_back(points.values[i]);
    objective.push_back(*points.points[i].mean);
  }
  std::vector<std::pair<std::size_t, double>> ranked;
  for (const Importance& each : importances(keys, values, objective)) {
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (keys[k] == each.key) ranked.emplace_back(k, each.share);
  }
  return ranked;
}

}  // namespace knead::report
