#include <catch2/catch.hpp>

#include "runner/sweep/output/sweep_lines.h"
#include "runner/sweep/output/sweep_table.h"
#include "tests/sweep/output/outcomes.h"

using namespace knead::sweep;

namespace {

std::string line_number(const std::string& text, int number) {
  std::size_t at = 0;
  for (; number > 0; --number) at = text.find('\n', at) + 1;
  return text.substr(at, text.find('\n', at) - at);
}

/// A sweep of one trial that tries a value, given as YAML.
Outcome with_value(const std::string& yaml) {
  Outcome out = one_of_each();
  out.trials = {out.trials[1]};
  out.trials[0].name.values = {{"model.args.activation", yaml}};
  return out;
}

std::string json_of(const std::string& yaml) {
  const std::string text = sweep_lines(with_value(yaml));
  const std::size_t begin = text.find("activation\":") + 12;
  return text.substr(begin, text.find(",\"state\"") - begin - 1);
}

std::string cell_of(const std::string& yaml) {
  const std::string row = sweep_table(with_value(yaml));
  const std::size_t begin = row.find(",0,0,,") + 6;
  return row.substr(begin, row.find(",,finished") - begin);
}

}  // namespace

TEST_CASE("sweep.jsonl has a line for each trial, with its seconds last") {
  const std::string text = sweep_lines(one_of_each());
  CHECK(
      line_number(text, 1) ==
      R"({"id":"0000000000000001","point":1,"repeat":0,"values":{"optimizer.lr":0.001,)"
      R"("model.args.activation":"a, \"b\"","model.args.width":32},"state":"finished",)"
      R"("metric":"validation/loss","objective":[[10,1.25],[20,0.5]],"best":0.5,"best_step":20,)"
      R"("mean":0.5,"spread":null,"code":4,"expect":[{"met":true,)"
      R"("sentence":"expect validation/loss at most 0.6: 0.5, met"},{"met":false,)"
      R"("sentence":"expect validation/accuracy at least 0.9: 0.8, 0.1 too low"}],"seconds":1.5})");
  CHECK(line_number(text, 2) ==
        R"({"id":"0000000000000002","point":2,"repeat":0,"values":{"optimizer.lr":0.1,)"
        R"("model.args.activation":"relu","model.args.width":32},"state":"failed",)"
        R"("metric":"validation/loss","objective":[[10,2.5],[20,"NaN"]],"best":2.5,"best_step":10,)"
        R"("mean":2.5,"spread":null,"code":5,"expect":[],"seconds":1.5})");
  CHECK(line_number(text, 6) ==
        R"({"id":"0000000000000006","point":6,"repeat":0,"values":{"optimizer.lr":0.004,)"
        R"("model.args.activation":"relu","model.args.width":32},"state":"waiting",)"
        R"("metric":"validation/loss","objective":[],"best":null,"best_step":null,"mean":null,)"
        R"("spread":null,"code":null,"expect":[],"seconds":1.5})");
  CHECK(line_number(text, 7).empty());
}

TEST_CASE("sweep.csv has a row for each trial, with its seconds last") {
  CHECK(
      sweep_table(one_of_each()) ==
      R"(id,point,repeat,optimizer.lr,model.args.activation,model.args.width,state,best,best_step,mean,spread,code,unmet,seconds
0000000000000000,0,0,0.01,relu,32,finished,0.25,20,0.25,,0,0,1.5
0000000000000001,1,0,0.001,"a, ""b""",32,finished,0.5,20,0.5,,4,1,1.5
0000000000000002,2,0,0.1,relu,32,failed,2.5,10,2.5,,5,,1.5
0000000000000003,3,0,0.0001,relu,32,pruned,2,10,2,,,,1.5
0000000000000004,4,0,0.002,relu,32,stopped,1.5,10,1.5,,,,1.5
0000000000000005,5,0,0.003,relu,32,running,,,,,,,1.5
0000000000000006,6,0,0.004,relu,32,waiting,,,,,,,1.5
)");
}

TEST_CASE("the order of running changes neither file") {
  const Outcome outcome = one_of_each();
  Outcome other = outcome;
  std::reverse(other.trials.begin(), other.trials.end());
  CHECK(sweep_lines(other) == sweep_lines(outcome));
  CHECK(sweep_table(other) == sweep_table(outcome));
}

TEST_CASE("all lines of a point have the mean and the spread of its seeds") {
  Outcome outcome = one_of_each();
  outcome.seeds = 2;
  outcome.trials = {trial_of(0, 0, "0.1", "relu", TrialState::finished, {{10, 1}}),
                    trial_of(0, 1, "0.1", "relu", TrialState::finished, {{10, 3}})};
  const std::string table = sweep_table(outcome);
  CHECK(line_number(table, 1) ==
        "0000000000000000,0,0,0.1,relu,32,finished,1,10,2,1.4142135623730951,0,0,1.5");
  CHECK(line_number(table, 2) ==
        "0000000000000000,0,1,0.1,relu,32,finished,3,10,2,1.4142135623730951,0,0,1.5");
}

TEST_CASE("values have the type in JSON that they have in YAML") {
  CHECK(json_of("0.001") == "0.001");
  CHECK(json_of("64") == "64");
  CHECK(json_of("1.0") == "1.0");
  CHECK(json_of("true") == "true");
  CHECK(json_of("null") == "null");
  CHECK(json_of(".inf") == "\"Infinity\"");
  CHECK(json_of("\"64\"") == "\"64\"");
  CHECK(json_of("2 epochs") == "\"2 epochs\"");
  CHECK(json_of("[0.9, 0.999]") == "[0.9,0.999]");
  CHECK(json_of("{type: sgd, lr: 0.1}") == R"({"type":"sgd","lr":0.1})");
}

TEST_CASE("a cell has a text without the quotes of YAML, and any other value as YAML") {
  CHECK(cell_of("0.001") == "0.001");
  CHECK(cell_of("\"yes\"") == "yes");
  CHECK(cell_of("\"a\\nb\"") == "\"a\nb\"");
  CHECK(cell_of("[0.9, 0.999]") == "\"[0.9, 0.999]\"");
  CHECK(cell_of("null") == "null");
}
