
#include <fmt/format.h>

#include "runner/engine/job/strategy.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/rehearse/bench.h"
#include "runner/engine/step/undivided.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/verbs/bench_report.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/other_rank.h"
#include "runner/engine/verbs/verbs.h"
#include "schema/document/json_text.h"
#include "schema/document/shown_text.h"
#include "schema/document/standard_streams.h"

namespace knead::engine {
namespace {

constexpr double kSeconds = 5;  // of counted steps

/// Returns the reports of all ranks, by rank.
std::vector<nlohmann::json> gather_reports(const Bench& bench, parallel::Group& group) {
  std::vector<nlohmann::json> reports;
  for (const std::string& text : group.gather(report_of_rank(bench).dump()))
    reports.push_back(nlohmann::json::parse(text));
  return reports;
}

/// Makes the weights of all ranks equal, and their random numbers different, as a run does.
void begin_as_rank(Job& job) {
  expect_trainable(*job.trained.model, *job.group);
  choose_strategy(job, [&] { return undivided_bytes(job, nullptr); });
  begin_on_ranks(job, Start::begins);
  if (!job.group->is_first())
    seed_for_dropout(static_cast<std::uint64_t>(job.recipe.seed), *job.group);
}

}  // namespace

Exit bench_run(const Call& call) {
  const Understood understood = understand(call);
  const auto group = join(call, understood.recipe);
  const auto warn = [&group](const std::string& text) {
    if (group->is_first()) tell(fmt::format("warning: {}\n", text));
  };
  Job job = prepare(understood.recipe, Start::begins, data::Augmentation::drawn, call.ranks);
  job.group = group;
  choose_threads(job);
  begin_as_rank(job);
  const Bench result = bench(job, kSeconds, warn);
  const auto reports = gather_reports(result, *group);
  if (!group->is_first()) return Exit::done;
  const std::string text =
      call.format == "json" ? schema::json_text(bench_json(job.recipe, result, reports), 2) + "\n"
                            : schema::shown_lines(bench_text(job.recipe, result, reports));
  print(text);
  return Exit::done;
}

}  // namespace knead::engine
