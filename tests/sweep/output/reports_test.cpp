#include <catch2/catch.hpp>

#include "runner/sweep/output/annotations.h"
#include "runner/sweep/output/junit_report.h"
#include "runner/sweep/output/matrix.h"
#include "runner/sweep/output/summary.h"
#include "schema/document/error.h"
#include "tests/sweep/output/outcomes.h"

using namespace knead;
using namespace knead::sweep;

namespace {

/// A sweep of one point, whose three seeds meet an expectation in their mean, but not each of them.
Outcome seeds_with_accuracies(const std::vector<double>& accuracies) {
  Outcome out = one_of_each();
  out.seeds = 3;
  out.trials.clear();
  for (const double accuracy : accuracies) {
    const auto repeat = static_cast<int>(out.trials.size());
    out.trials.push_back(trial_of(0, repeat, "0.01", "relu", TrialState::finished, {{10, 0.5}}));
    out.trials.back().name.id += std::to_string(repeat);
    out.trials.back().code = accuracy < 0.9 ? 4 : 0;
    out.trials.back().measured = measured_at(10, 0.5, accuracy);
  }
  return out;
}

/// A sweep in which all trials have finished as expected.
Outcome all_well() {
  Outcome out = one_of_each();
  out.trials = {out.trials[1]};
  return out;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

TEST_CASE("JUnit has a case for each trial and each of its expectations") {
  CHECK(junit_report(one_of_each()) ==
        R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="11" failures="1" errors="1" skipped="4" time="10.5">
<testsuite name="knead sweep digits" tests="11" failures="1" errors="1" skipped="4" time="10.5">
  <testcase classname="sweep digits" name="optimizer.lr=0.01 model.args.activation=relu model.args.width=32" time="1.5"><system-out>trial 0000000000000000
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.01 model.args.activation=relu model.args.width=32: expect validation/loss at most 0.6" time="0"><system-out>expect validation/loss at most 0.6: 0.3125, met
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.01 model.args.activation=relu model.args.width=32: expect validation/accuracy at least 0.9" time="0"><system-out>expect validation/accuracy at least 0.9: 0.95, met
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.001 model.args.activation=a, &quot;b&quot; model.args.width=32" time="1.5"><system-out>trial 0000000000000001
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.001 model.args.activation=a, &quot;b&quot; model.args.width=32: expect validation/loss at most 0.6" time="0"><system-out>expect validation/loss at most 0.6: 0.5, met
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.001 model.args.activation=a, &quot;b&quot; model.args.width=32: expect validation/accuracy at least 0.9" time="0"><failure message="expect validation/accuracy at least 0.9: 0.8, 0.1 too low" type="expectation not met">trial 0000000000000001
</failure></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.1 model.args.activation=relu model.args.width=32" time="1.5"><error message="exit code 5: error: the loss is &lt;NaN&gt; at step 20" type="trial failed">trial 0000000000000002
step 20 of 40
error: the loss is &lt;NaN&gt; at step 20
</error></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.0001 model.args.activation=relu model.args.width=32" time="1.5"><skipped message="pruned at step 10, validation/loss 2"/></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.002 model.args.activation=relu model.args.width=32" time="1.5"><skipped message="stopped at step 10, validation/loss 1.5"/></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.003 model.args.activation=relu model.args.width=32" time="1.5"><skipped message="runs in another process"/></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.004 model.args.activation=relu model.args.width=32" time="1.5"><skipped message="not begun"/></testcase>
</testsuite>
</testsuites>
)xml");
}

TEST_CASE("JUnit names the seed of a trial, and has no character that XML has not") {
  Outcome outcome = all_well();
  outcome.seeds = 3;
  outcome.trials[0].state = TrialState::failed;
  outcome.trials[0].code = std::nullopt;
  outcome.trials[0].last_lines = {"a\x01\xff<"};
  outcome.trials[0].name.repeat = 1;
  outcome.trials[0].seconds = 0.0004;
  const std::string text = junit_report(outcome);
  CHECK(text.find("width=32, seed 2 of 3\" time=\"0\">") != text.npos);
  CHECK(text.find("message=\"ended without an exit code: a\uFFFD\uFFFD&lt;\"") != text.npos);
}

TEST_CASE("JUnit has a case for each expectation of a point with seeds, whose mean decides") {
  CHECK(junit_report(seeds_with_accuracies({0.85, 0.93, 0.95})) ==
        R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="0" errors="0" skipped="0" time="4.5">
<testsuite name="knead sweep digits" tests="5" failures="0" errors="0" skipped="0" time="4.5">
  <testcase classname="sweep digits" name="optimizer.lr=0.01 model.args.activation=relu model.args.width=32, seed 1 of 3" time="1.5"><system-out>trial 00000000000000000
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.01 model.args.activation=relu model.args.width=32, seed 2 of 3" time="1.5"><system-out>trial 00000000000000001
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.01 model.args.activation=relu model.args.width=32, seed 3 of 3" time="1.5"><system-out>trial 00000000000000002
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.01 model.args.activation=relu model.args.width=32: expect validation/loss at most 0.6" time="0"><system-out>expect validation/loss at most 0.6: mean of 3 seeds 0.5, spread 0, met
</system-out></testcase>
  <testcase classname="sweep digits" name="optimizer.lr=0.01 model.args.activation=relu model.args.width=32: expect validation/accuracy at least 0.9" time="0"><system-out>expect validation/accuracy at least 0.9: mean of 3 seeds 0.91, spread 0.052915, met
</system-out></testcase>
</testsuite>
</testsuites>
)xml");
  const std::string unmet = junit_report(seeds_with_accuracies({0.85, 0.85, 0.95}));
  CHECK(unmet.find("at least 0.9\" time=\"0\"><failure message=\"expect validation/accuracy at "
                   "least 0.9: mean of 3 seeds 0.883333, spread 0.057735, 0.0166667 too low\" "
                   "type=\"expectation not met\">trial 00000000000000000\ntrial "
                   "00000000000000001\ntrial 00000000000000002\n</failure>") != unmet.npos);
  // Until all seeds have finished, nothing is judged.
  CHECK(occurrences(junit_report(seeds_with_accuracies({0.1, 0.1})), "<testcase") == 2);
}

TEST_CASE("a summary says how the sweep went") {
  CHECK(summary_markdown(one_of_each()) ==
        R"(## Sweep digits: ❌ trials failed

2 finished, 1 pruned, 1 failed, 1 running, 1 stopped, 1 waiting

**Best validation/loss: 0.2500** at point 0, optimizer.lr=0.01 model.args.activation=relu model.args.width=32 (trial 0000000000000000, step 20)

| point | optimizer.lr | model.args.activation | model.args.width | validation/loss | step | state |
| ---: | --- | --- | --- | ---: | ---: | --- |
| 0 | 0.01 | relu | 32 | 0.2500 | 20 | finished |
| 1 | 0.001 | a, "b" | 32 | 0.5000 | 20 | finished |
| 2 | 0.1 | relu | 32 | 2.500 | 10 | failed |
| 3 | 0.0001 | relu | 32 | 2.000 | 10 | pruned |
| 4 | 0.002 | relu | 32 | 1.500 | 10 | stopped |
| 5 | 0.003 | relu | 32 |  |  | running |
| 6 | 0.004 | relu | 32 |  |  | waiting |

### Failed, or not as expected

- optimizer.lr=0.001 model.args.activation=a, "b" model.args.width=32 (trial 0000000000000001)
  - expect validation/accuracy at least 0.9: 0.8, 0.1 too low
- optimizer.lr=0.1 model.args.activation=relu model.args.width=32 (trial 0000000000000002)
  - exit code 5: error: the loss is &lt;NaN> at step 20

        step 20 of 40
        error: the loss is <NaN> at step 20

)");
}

TEST_CASE("the verdict of a summary is the worst that there is to say") {
  Outcome outcome = all_well();
  CHECK(first_line(summary_markdown(outcome)) == "## Sweep digits: ✅ done");
  outcome.trials.push_back(trial_of(1, 0, "0.1", "relu", TrialState::pruned, {}));
  CHECK(first_line(summary_markdown(outcome)) == "## Sweep digits: ✅ done");
  outcome.trials.push_back(trial_of(2, 0, "0.1", "relu", TrialState::waiting, {}));
  CHECK(first_line(summary_markdown(outcome)) == "## Sweep digits: ⏸ not finished");
  outcome.trials[0].measured = measured_at(20, 0.7, 0.95);
  CHECK(first_line(summary_markdown(outcome)) == "## Sweep digits: ❌ expectations are not met");
  outcome.trials[1].state = TrialState::failed;
  CHECK(first_line(summary_markdown(outcome)) == "## Sweep digits: ❌ trials failed");
}

TEST_CASE("a summary shows the 20 best points and the first 20 complaints, and counts the others") {
  Outcome outcome = all_well();
  outcome.trials.clear();
  outcome.expect = {expectation_of("a")};
  outcome.expect[0].at_least = 1;
  for (std::size_t point = 0; point < 30; ++point) {
    outcome.trials.push_back(trial_of(point, 0, "0.1", "a|b*\n", TrialState::finished,
                                      {{1, static_cast<double>(30 - point)}}));
    outcome.trials.back().name.values[1].second = "\"a|b*\\n\"";
    outcome.trials.back().measured = {{true, plan::Value{1, 0}}};
  }
  const std::string text = summary_markdown(outcome);
  CHECK(occurrences(text, "| finished |") == 20);
  CHECK(text.find("| 29 | 0.1 | a\\|b\\*  | 32 | 1.000 | 1 | finished |\n") != text.npos);
  CHECK(text.find("| 9 |") == text.npos);
  CHECK(text.find("\n10 more points\n") != text.npos);
  CHECK(occurrences(text, "  - expect a at least 1: 0, 1 too low\n") == 20);
  CHECK(text.ends_with("\n- 10 more\n"));
}

TEST_CASE("a summary has the spread of seeds, and says if there is no best point") {
  Outcome outcome = all_well();
  outcome.seeds = 2;
  CHECK(summary_markdown(outcome).find("No point has finished with a finite objective.") !=
        std::string::npos);
  outcome.trials.push_back(trial_of(0, 1, "0.01", "relu", TrialState::finished, {{10, 0.75}}));
  const std::string text = summary_markdown(outcome);
  CHECK(text.find("**Best validation/loss: 0.5000 ± 0.3536** at point 0") != text.npos);
  CHECK(text.find("| 0.5000 ± 0.3536 |  | finished |") != text.npos);
}

TEST_CASE("a summary and annotations name a point whose mean is not as expected") {
  const Outcome met = seeds_with_accuracies({0.85, 0.93, 0.95});
  CHECK(first_line(summary_markdown(met)) == "## Sweep digits: ✅ done");
  CHECK(annotations(met).empty());
  const Outcome unmet = seeds_with_accuracies({0.85, 0.85, 0.95});
  const std::string text = summary_markdown(unmet);
  CHECK(first_line(text) == "## Sweep digits: ❌ expectations are not met");
  CHECK(text.find("- optimizer.lr=0.01 model.args.activation=relu model.args.width=32 (trials "
                  "00000000000000000, 00000000000000001, 00000000000000002)\n  - expect "
                  "validation/accuracy at least 0.9: mean of 3 seeds 0.883333, spread 0.057735, "
                  "0.0166667 too low\n") != text.npos);
  CHECK(annotations(unmet) ==
        "::error title=an expectation is not met in sweep digits::optimizer.lr=0.01 "
        "model.args.activation=relu model.args.width=32%0Aexpect validation/accuracy at least "
        "0.9: mean of 3 seeds 0.883333, spread 0.057735, 0.0166667 too low\n");
}

TEST_CASE("GitHub shows failed trials and expectations that are not met") {
  CHECK(annotations(all_well()).empty());
  CHECK(annotations(one_of_each()) ==
        "::error title=an expectation is not met in sweep digits::optimizer.lr=0.001 "
        "model.args.activation=a, \"b\" model.args.width=32%0Aexpect validation/accuracy at least "
        "0.9: 0.8, 0.1 too low\n"
        "::error title=a trial failed in sweep digits::optimizer.lr=0.1 "
        "model.args.activation=relu model.args.width=32%0Aexit code 5: error: the loss is <NaN> at "
        "step 20\n");
}

TEST_CASE("GitHub gets no more annotations than it shows") {
  Outcome outcome = one_of_each();
  const Trial failed = outcome.trials[0];
  outcome.trials.assign(10, failed);
  CHECK(occurrences(annotations(outcome), "::error title=a trial failed") == 10);
  outcome.trials.assign(12, failed);
  const std::string text = annotations(outcome);
  CHECK(occurrences(text, "::error title=a trial failed") == 9);
  CHECK(
      text.ends_with("\n::error title=sweep digits::3 more failed trials and expectations that "
                     "are not met\n"));
}

TEST_CASE("a matrix has a job for each shard") {
  CHECK(matrix_text(1) == "{\"include\":[{\"shard\":\"1/1\"}]}\n");
  CHECK(matrix_text(3) ==
        "{\"include\":[{\"shard\":\"1/3\"},{\"shard\":\"2/3\"},{\"shard\":\"3/3\"}]}\n");
  CHECK(occurrences(matrix_text(256), "shard") == 256);
  CHECK_THROWS_WITH(matrix_text(0), "--matrix needs a number of shards from 1 to 256, not 0");
  CHECK_THROWS_WITH(matrix_text(257), "--matrix needs a number of shards from 1 to 256, not 257");
}
