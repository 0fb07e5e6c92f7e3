#include "runner/sweep/output/annotations.h"

#include <fmt/format.h>

#include "runner/sweep/output/words.h"
#include "schema/print/workflow_command.h"

namespace knead::sweep {
namespace {

constexpr std::size_t kMostAnnotations = 10;

std::string annotation_of(const std::string& what, const std::string& name, const Outcome& outcome,
                          const std::string& message) {
  const std::string title = fmt::format("{} in sweep {}", what, outcome.name);
  return schema::workflow_command("error", {{"title", title}},
                                  fmt::format("{}\n{}", name, message));
}

}  // namespace

std::string annotations(const Outcome& outcome) {
  std::vector<std::string> all;
  for (const PointResult& point : points_of(outcome)) {
    for (const Trial* trial : point.trials) {
      if (trial->state == TrialState::failed)
        all.push_back(annotation_of("a trial failed", trial_in_words(*trial, outcome.seeds),
                                    outcome, failure_in_words(*trial)));
    }
    for (const std::string& sentence : unmet_sentences(point))
      all.push_back(
          annotation_of("an expectation is not met", point_in_words(point), outcome, sentence));
  }
  if (all.size() > kMostAnnotations) {
    const std::size_t more = all.size() - (kMostAnnotations - 1);
    all.resize(kMostAnnotations - 1);
    all.push_back(schema::workflow_command(
        "error", {{"title", "sweep " + outcome.name}},
        fmt::format("{} more failed trials and expectations that are not met", more)));
  }
  std::string out;
  for (const std::string& each : all) out += each;
  return out;
}

}  // namespace knead::sweep
