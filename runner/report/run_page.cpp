#include "runner/report/run_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/report/html.h"
#include "runner/report/readable_text.h"
#include "runner/report/run_sections.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

std::string state_in_words(const RunFacts& facts) {
  const std::string step = fmt::format("step {}", track::grouped(facts.step));
  switch (facts.state) {
    case run::RunState::running: return "Running, at " + step;
    case run::RunState::finished:
      return facts.end && facts.end->why_early
                 ? fmt::format("Stopped early at {}: {}", step, *facts.end->why_early)
                 : "Finished at " + step;
    case run::RunState::failed:
      return facts.end && facts.end->failure
                 ? fmt::format("Failed after {}: {}", step, *facts.end->failure)
                 : "Failed after " + step;
    case run::RunState::stopped: return "Stopped after " + step + ", and can be resumed";
    case run::RunState::empty:
      return facts.step == 0 ? "Has not begun" : "Has no checkpoint, at " + step;
    case run::RunState::unreadable: break;
  }
  return "Cannot be read";
}

std::size_t count_met(const std::vector<std::string>& expectations) {
  return static_cast<std::size_t>(
      std::count_if(expectations.begin(), expectations.end(),
                    [](const std::string& sentence) { return sentence.ends_with(", met"); }));
}

void add_tiles(const FollowedRun& run, Page& page) {
  const RunFacts& facts = run.facts();
  const auto add = [&](const std::string& name, const std::string& value,
                       const std::string& words = "") {
    page.tiles.push_back({name, value, words});
  };
  if (facts.best)
    add("best " + facts.monitor.metric, track::short_number(facts.best->value),
        fmt::format("at step {}", track::grouped(facts.best->step)));
  if (const auto last = plan::last_value(run.evaluations(), facts.monitor.metric))
    add("last " + facts.monitor.metric, track::short_number(last->value),
        fmt::format("at step {}", track::grouped(last->step)));
  if (const double loss = run.curves().last_number("loss"); !std::isnan(loss))
    add("last train/loss", track::short_number(loss));
  const double epoch = run.curves().last_number("epoch");
  add("step", track::grouped(facts.step),
      std::isnan(epoch) ? "" : fmt::format("epoch {:.2f}", epoch));
  if (const double time = run.curves().last_number("time"); time >= 0)
    add("training took", track::short_duration(time));
  if (const double rate = run.curves().last_number("samples_per_second"); rate >= 0)
    add("samples per second", track::short_count(rate), "at the last report");
  if (const double mfu = run.curves().last_number("mfu"); mfu >= 0)
    add("model FLOPs utilization", fmt::format("{:.3g} %", 100 * mfu), "at the last report");
  if (const std::uint64_t numbers = count_parameters(facts.tensors); numbers > 0)
    add("parameters and buffers", track::short_count(static_cast<double>(numbers)));
}

}  // namespace

std::string verdict_of(const FollowedRun& run) {
  const RunFacts& facts = run.facts();
  std::string words = state_in_words(facts);
  if (facts.best)
    words += fmt::format("; best {} {} at step {}", facts.monitor.metric,
                         track::short_number(facts.best->value), track::grouped(facts.best->step));
  const auto& expectations = run.log().expectations();
  if (!expectations.empty())
    words +=
        fmt::format("; {} of {} expectations met", count_met(expectations), expectations.size());
  return readable_text(words + ".");
}

Page run_page(const FollowedRun& run) {
  const RunFacts& facts = run.facts();
  Page page{.title = facts.name, .kind = "run", .verdict = verdict_of(run)};
  page.state = run::to_string(facts.state);
  page.subtitle = facts.recipe.value("description");
  page.notes = facts.notes;
  add_tiles(run, page);
  page.data["runs"].push_back(axes_json(facts.name, run.curves()));
  add_charts(page, "Curves", charts_of(run));
  for (Section& section : run_sections(run)) page.sections.push_back(std::move(section));
  return page;
}

}  // namespace knead::report
