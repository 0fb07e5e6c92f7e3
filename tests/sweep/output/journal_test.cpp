#include <catch2/catch.hpp>

#include "runner/sweep/output/optuna_journal.h"
#include "tests/sweep/output/outcomes.h"

using namespace knead;
using namespace knead::sweep;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    out.push_back(text.substr(at, text.find('\n', at) - at));
  return out;
}

/// Returns what stands behind a key of a line, up to another one.
std::string between(const std::string& line, const std::string& key, const std::string& next) {
  const std::size_t begin = line.find("\"" + key + "\":") + key.size() + 3;
  return line.substr(begin, line.find(",\"" + next + "\"", begin) - begin);
}

}  // namespace

TEST_CASE("Optuna's journal has a study and the trials that cannot go on") {
  const auto lines = lines_of(optuna_journal(one_of_each()));
  REQUIRE(lines.size() == 5);
  CHECK(lines[0] == R"({"op_code":0,"worker_id":"knead","study_name":"digits","directions":[1]})");
  CHECK(lines[4] ==
        R"({"op_code":4,"worker_id":"knead","study_id":0,"state":2,"value":2.0,"values":null,)"
        R"("distributions":{"optimizer.lr":"{\"name\":\"FloatDistribution\",\"attributes\":)"
        R"({\"step\":null,\"low\":0.0001,\"high\":0.1,\"log\":true}}","model.args.activation":)"
        R"("{\"name\":\"CategoricalDistribution\",\"attributes\":{\"choices\":[\"relu\",)"
        R"(\"a, \\\"b\\\"\"]}}","model.args.width":"{\"name\":\"IntDistribution\",\"attributes\":)"
        R"({\"log\":false,\"step\":1,\"low\":16,\"high\":64}}"},)"
        R"("params":{"optimizer.lr":0.0001,"model.args.activation":0,"model.args.width":32},)"
        R"("user_attrs":{"trial":"0000000000000003","point":3,"repeat":0},"system_attrs":{},)"
        R"("intermediate_values":{"10":2.0},"datetime_start":"1970-01-01T00:00:00.000000",)"
        R"("datetime_complete":"1970-01-01T00:00:01.500000"})");
  for (std::size_t line = 1; line < lines.size(); ++line)
    CHECK(between(lines[line], "point", "repeat") == std::to_string(line - 1));
}

TEST_CASE("Optuna's journal has states and values as Optuna wants them") {
  Outcome outcome = one_of_each();
  const auto seen = [&](TrialState state, std::vector<plan::Value> objective) {
    outcome.trials = {trial_of(0, 0, "0.1", "relu", state, std::move(objective))};
    const auto lines = lines_of(optuna_journal(outcome));
    return lines.size() == 2 ? between(lines[1], "state", "values") : "left out";
  };
  CHECK(seen(TrialState::finished, {{10, 0.5}, {20, 1}}) == R"(1,"value":0.5)");
  CHECK(seen(TrialState::finished, {{10, NAN}}) == R"(3,"value":null)");
  CHECK(seen(TrialState::pruned, {{10, 0.5}, {20, 1}}) == R"(2,"value":1.0)");
  CHECK(seen(TrialState::pruned, {{10, 0.5}, {20, INFINITY}}) == R"(2,"value":0.5)");
  CHECK(seen(TrialState::pruned, {}) == R"(2,"value":null)");
  CHECK(seen(TrialState::failed, {{10, 0.5}}) == R"(3,"value":null)");
  CHECK(seen(TrialState::waiting, {}) == "left out");
  CHECK(seen(TrialState::running, {{10, 0.5}}) == "left out");
  CHECK(seen(TrialState::stopped, {{10, 0.5}}) == "left out");
}

TEST_CASE("Optuna's journal has repeats as trials, the goal, and days") {
  Outcome outcome = one_of_each();
  outcome.objective = "validation/accuracy";
  outcome.seeds = 2;
  outcome.trials = {trial_of(0, 1, "0.1", "relu", TrialState::finished, {{10, 3}}),
                    trial_of(0, 0, "0.1", "relu", TrialState::finished, {{10, 1}})};
  outcome.trials[0].seconds = 2 * 86400 + 3661.000001;
  const auto lines = lines_of(optuna_journal(outcome));
  REQUIRE(lines.size() == 3);
  CHECK(between(lines[0], "directions", "none") == "[2]}");
  CHECK(between(lines[1], "repeat", "none").substr(0, 1) == "0");
  CHECK(between(lines[2], "datetime_complete", "none") == "\"1970-01-03T01:01:01.000001\"}");
}

TEST_CASE("Optuna's journal has scalars with their type as categories, other values as text") {
  Outcome outcome = one_of_each();
  outcome.keys = {{.key = "k",
                   .dimension = Choices{.count = 6},
                   .choices = {"1", "1.5", "true", "null", "\"1\"", "[0.9, 0.999]"}}};
  outcome.trials = {outcome.trials[1]};
  outcome.trials[0].name.values = {{"k", "[0.9, 0.999]"}};
  const std::string line = lines_of(optuna_journal(outcome))[1];
  CHECK(between(line, "distributions", "params") ==
        R"({"k":"{\"name\":\"CategoricalDistribution\",\"attributes\":)"
        R"({\"choices\":[1,1.5,true,null,\"1\",\"[0.9, 0.999]\"]}}"})");
  CHECK(between(line, "params", "user_attrs") == R"({"k":5})");
}
