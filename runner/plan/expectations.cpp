#include "runner/plan/expectations.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "schema/document/scalar.h"

namespace knead::plan {
namespace {

std::string six_digits(double value) {
  return std::isnan(value) ? "NaN" : fmt::format("{:.6g}", value);
}

std::string bounds_in_words(const recipe::Expectation& expectation) {
  std::string words;
  const auto add = [&words](std::string_view word, double number) {
    words +=
        fmt::format("{}{} {}", words.empty() ? "" : " and ", word, schema::number_text(number));
  };
  if (expectation.at_least) add("at least", *expectation.at_least);
  if (expectation.at_most) add("at most", *expectation.at_most);
  if (expectation.equals) add("equal to", *expectation.equals);
  if (expectation.within) words += " within " + schema::number_text(*expectation.within);
  if (expectation.baseline) words += fmt::format(" (next to {})", expectation.baseline->string());
  return words;
}

/// The interval of allowed values, both ends included.
struct Bounds {
  double least = -INFINITY;
  double most = INFINITY;
};

Bounds bounds_of(const recipe::Expectation& expectation) {
  Bounds bounds;
  if (expectation.at_least) bounds.least = *expectation.at_least;
  if (expectation.at_most) bounds.most = *expectation.at_most;
  if (expectation.equals) bounds = {*expectation.equals, *expectation.equals};
  if (expectation.within) {
    bounds.least -= *expectation.within;
    bounds.most += *expectation.within;
  }
  return bounds;
}

/// Returns how a value fails (", 0.009 too low"), or an empty text if it is within the bounds.
std::string distance_in_words(double value, const Bounds& bounds) {
  if (!std::isfinite(value)) return ", not met";
  if (value < bounds.least) return fmt::format(", {} too low", six_digits(bounds.least - value));
  if (value > bounds.most) return fmt::format(", {} too high", six_digits(value - bounds.most));
  return "";
}

bool is_best_value(const recipe::Expectation& expectation) {
  return expectation.value == recipe::Expectation::Value::best;
}

Measurement measure(const recipe::Expectation& expectation,
                    const std::vector<recipe::Metric>& metrics, const Evaluations& evaluations) {
  const std::string& metric = expectation.metric;
  const auto last = last_value(evaluations, metric);
  if (!last || !is_best_value(expectation)) return {last.has_value(), last};
  return {true, best_value(evaluations, objective(metric, metrics))};
}

/// Returns what is said of a value behind what was expected: ", met" or ", 0.009 too low".
std::string verdict_in_words(double value, const recipe::Expectation& expectation) {
  const std::string distance = distance_in_words(value, bounds_of(expectation));
  return distance.empty() ? ", met" : distance;
}

Judgement judge_single(const recipe::Expectation& expectation, const Measurement& run,
                       const std::string& expected) {
  if (!run.is_computed) return {false, expected + ": never computed, not met"};
  if (!run.value) return {false, expected + ": never a finite number, not met"};
  const std::string where =
      is_best_value(expectation) ? fmt::format(" at step {}", run.value->step) : "";
  const std::string verdict = verdict_in_words(run.value->value, expectation);
  return {verdict == ", met",
          fmt::format("{}: {}{}{}", expected, six_digits(run.value->value), where, verdict)};
}

/// Returns how many measurements satisfy a condition, of how many: "1 of 3 seeds".
template <typename Condition>
std::string share_in_words(const Measurements& runs, const Condition& condition) {
  return fmt::format("{} of {} seeds", std::count_if(runs.begin(), runs.end(), condition),
                     runs.size());
}

Judgement judge_mean(const recipe::Expectation& expectation, const Measurements& runs,
                     const std::string& expected) {
  const auto lacks_value = [](const Measurement& run) { return !run.is_computed; };
  const auto is_no_number = [](const Measurement& run) {
    return !run.value || !std::isfinite(run.value->value);
  };
  if (std::any_of(runs.begin(), runs.end(), lacks_value))
    return {false, fmt::format("{}: never computed in {}, not met", expected,
                               share_in_words(runs, lacks_value))};
  if (std::any_of(runs.begin(), runs.end(), is_no_number))
    return {false, fmt::format("{}: no finite number in {}, not met", expected,
                               share_in_words(runs, is_no_number))};
  double sum = 0, squares = 0;
  for (const Measurement& run : runs) sum += run.value->value;
  const auto count = static_cast<double>(runs.size());
  const double mean = sum / count;
  for (const Measurement& run : runs) squares += std::pow(run.value->value - mean, 2);
  const std::string verdict = verdict_in_words(mean, expectation);
  return {verdict == ", met",
          fmt::format("{}: mean of {} seeds {}, spread {}{}", expected, runs.size(),
                      six_digits(mean), six_digits(std::sqrt(squares / (count - 1))), verdict)};
}

}  // namespace

Measurements measure(const std::vector<recipe::Expectation>& expectations,
                     const std::vector<recipe::Metric>& metrics, const Evaluations& evaluations) {
  Measurements measurements;
  for (const recipe::Expectation& each : expectations)
    measurements.push_back(measure(each, metrics, evaluations));
  return measurements;
}

std::vector<Judgement> judge(const std::vector<recipe::Expectation>& expectations,
                             const std::vector<Measurements>& runs) {
  std::vector<Judgement> judgements;
  for (std::size_t item = 0; item < expectations.size(); ++item) {
    const recipe::Expectation& expectation = expectations[item];
    const std::string expected =
        fmt::format("expect {}{} {}", is_best_value(expectation) ? "best " : "", expectation.metric,
                    bounds_in_words(expectation));
    Measurements repeats;
    for (const Measurements& run : runs) repeats.push_back(run.at(item));
    judgements.push_back(repeats.size() == 1 ? judge_single(expectation, repeats[0], expected)
                                             : judge_mean(expectation, repeats, expected));
  }
  return judgements;
}

}  // namespace knead::plan
