#include "runner/sweep/output/sweep_table.h"

#include <fmt/format.h>

#include "runner/sweep/output/value.h"
#include "schema/document/csv_cell.h"

namespace knead::sweep {
namespace {

template <typename T>
std::string or_empty(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string value_cell(const Trial& trial, const std::string& key) {
  for (const auto& [name, value] : trial.name.values) {
    if (name == key) return schema::csv_cell(value_in_words(value));
  }
  return "";
}

/// Counts the expectations that are not met; an empty text before they were judged.
std::string unmet_cell(const PointResult& point) {
  return point.expectations.empty() ? "" : fmt::format("{}", unmet_sentences(point).size());
}

std::string csv_row(const Trial& trial, const PointResult& point, const Outcome& outcome) {
  std::string row = fmt::format("{},{},{}", trial.name.id, trial.name.point, trial.name.repeat);
  for (const SweptKey& key : outcome.keys) row += "," + value_cell(trial, key.key);
  const std::string best =
      trial.best ? fmt::format("{},{}", trial.best->value, trial.best->step) : ",";
  return row + fmt::format(",{},{},{},{},{},{},{}\n", to_string(trial.state), best,
                           or_empty(point.mean), or_empty(point.spread),
                           or_empty(code_of(trial, point)), unmet_cell(point), trial.seconds);
}

}  // namespace

std::string sweep_table(const Outcome& outcome) {
  std::string out = "id,point,repeat";
  for (const SweptKey& key : outcome.keys) out += "," + schema::csv_cell(key.key);
  out += ",state,best,best_step,mean,spread,code,unmet,seconds\n";
  for (const PointResult& point : points_of(outcome)) {
    for (const Trial* trial : point.trials) out += csv_row(*trial, point, outcome);
  }
  return out;
}

}  // namespace knead::sweep
