#include "runner/sweep/output/junit_report.h"

#include <fmt/format.h>

#include "runner/sweep/output/words.h"
#include "schema/document/scalar.h"
#include "schema/print/junit.h"

namespace knead::sweep {
namespace {

using schema::JunitCase;

/// Says how far a trial has come: " at step 30, validation/loss 0.9".
std::string reached(const Trial& trial, const Outcome& outcome) {
  if (trial.objective.empty()) return "";
  const plan::Value& last = trial.objective.back();
  return fmt::format(" at step {}, {} {}", last.step, outcome.objective.metric,
                     schema::number_text(last.value));
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

JunitCase case_of(const Trial& trial, const Outcome& outcome) {
  JunitCase out{.group = "sweep " + outcome.name,
                .name = trial_in_words(trial, outcome.seeds),
                .seconds = trial.seconds};
  switch (trial.state) {
    case TrialState::finished: out.text = "trial " + trial.name.id + "\n"; return out;
    case TrialState::failed:
      out.result = JunitCase::Result::error;
      out.message = failure_in_words(trial);
      out.type = "trial failed";
      out.text = "trial " + trial.name.id + "\n" + joined_lines(trial.last_lines);
      return out;
    case TrialState::pruned: out.message = "pruned" + reached(trial, outcome); break;
    case TrialState::running: out.message = "runs in another process"; break;
    case TrialState::stopped: out.message = "stopped" + reached(trial, outcome); break;
    case TrialState::waiting: out.message = "not begun"; break;
  }
  out.result = JunitCase::Result::skipped;
  return out;
}

/// The sentence of a judgement is what was expected, ": " and what came of it.
JunitCase case_of(const plan::Judgement& judgement, const PointResult& point,
                  const Outcome& outcome) {
  const std::string& sentence = judgement.sentence;
  JunitCase out{.group = "sweep " + outcome.name,
                .name = point_in_words(point) + ": " + sentence.substr(0, sentence.find(": "))};
  if (judgement.met) {
    out.text = sentence + "\n";
    return out;
  }
  out.result = JunitCase::Result::failure;
  out.message = sentence;
  out.type = "expectation not met";
  for (const Trial* trial : point.trials) out.text += "trial " + trial->name.id + "\n";
  return out;
}

}  // namespace

std::string junit_report(const Outcome& outcome) {
  std::vector<JunitCase> cases;
  for (const PointResult& point : points_of(outcome)) {
    for (const Trial* trial : point.trials) cases.push_back(case_of(*trial, outcome));
    for (const plan::Judgement& each : point.expectations)
      cases.push_back(case_of(each, point, outcome));
  }
  return schema::junit_xml("knead sweep " + outcome.name, cases);
}

}  // namespace knead::sweep
