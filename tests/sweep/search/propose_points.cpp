// propose_points: reads a JSON object from each line of its input and answers each with a line, the
// point that a search proposes as a JSON list. {"search": "random" | "sobol" | "tpe", "seed": 0,
// "number": 0, "space": [{"choices": 3}, {"low": 0, "high": 1, "log": false, "integer": false}],
// "history": [{"point": [0, 0.5], "loss": 0.1 or null, "reach": 1}]}; history is for tpe.

#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "runner/sweep/search/random.h"
#include "runner/sweep/search/sobol.h"
#include "runner/sweep/search/tpe.h"

namespace {

using namespace knead::sweep;
using nlohmann::json;

Dimension dimension_of(const json& said) {
  if (said.contains("choices")) return Choices{said["choices"]};
  return Range{.low = said["low"],
               .high = said["high"],
               .is_log = said["log"],
               .is_integer = said["integer"],
               .points = 0};
}

Observation observation_of(const json& said) {
  const json& loss = said["loss"];
  return {said["point"], loss.is_null() ? std::nullopt : std::optional(loss.get<double>()),
          said["reach"]};
}

Point answer(const json& asked) {
  Space space;
  for (const json& each : asked["space"]) space.push_back(dimension_of(each));
  if (asked["search"] == "random") return random_point(space, asked["seed"], asked["number"]);
  if (asked["search"] == "sobol") return sobol_point(space, asked["seed"], asked["number"]);
  std::vector<Observation> history;
  for (const json& each : asked["history"]) history.push_back(observation_of(each));
  return tpe_point(space, asked["seed"], asked["number"], history);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << json(answer(json::parse(line))).dump() << std::endl;
}
