#include "runner/sweep/output/sweep_lines.h"

#include <nlohmann/json.hpp>

#include "runner/sweep/output/value.h"
#include "schema/document/json_text.h"

namespace knead::sweep {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json line_of(const Trial& trial, const PointResult& point, const Outcome& outcome) {
  Json values = Json::object();
  for (const auto& [key, value] : trial.name.values) values[key] = value_as_json(value);
  Json objective = Json::array();
  for (const plan::Value& each : trial.objective)
    objective.push_back(Json::array({each.step, number_as_json(each.value)}));
  Json expect = Json::array();
  for (const plan::Judgement& each : point.expectations)
    expect.push_back(Json{{"met", each.met}, {"sentence", each.sentence}});
  return Json{{"id", trial.name.id},
              {"point", trial.name.point},
              {"repeat", trial.name.repeat},
              {"values", values},
              {"state", to_string(trial.state)},
              {"metric", outcome.objective.metric},
              {"objective", objective},
              {"best", trial.best ? Json(trial.best->value) : Json(nullptr)},
              {"best_step", trial.best ? Json(trial.best->step) : Json(nullptr)},
              {"mean", or_null(point.mean)},
              {"spread", or_null(point.spread)},
              {"code", or_null(code_of(trial, point))},
              {"expect", expect},
              {"seconds", trial.seconds}};
}

}  // namespace

std::string sweep_lines(const Outcome& outcome) {
  std::string out;
  for (const PointResult& point : points_of(outcome)) {
    for (const Trial* trial : point.trials)
      out += schema::readable_json_text(line_of(*trial, point, outcome)) + "\n";
  }
  return out;
}

}  // namespace knead::sweep
