#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/engine/job/threads.h"
#include "runner/engine/rehearse/bench.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/run/summary.h"
#include "runner/track/short_text.h"
#include "schema/document/byte_words.h"
#include "schema/document/count_words.h"
#include "schema/document/json_text.h"

namespace knead::engine {
namespace {

constexpr double kSeconds = 5;  // of counted steps

/// Sums up the times of one part over all counted steps, in seconds.
struct Part {
  const char* name;
  double median;
  double slow;   // 90th percentile
  double share;  // of the whole time
};

/// Returns the quantile of the values at `share`, from 0 to 1.
double at_share(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

Part part_of(const Bench& bench, const char* name, double StepTime::*time) {
  std::vector<double> values;
  double sum = 0;
  double whole = 0;
  for (const StepTime& step : bench.steps) {
    values.push_back(step.*time);
    sum += step.*time;
    whole += step.whole;
  }
  return {name, at_share(values, 0.5), at_share(values, 0.9), sum / whole};
}

std::vector<Part> parts_of(const Bench& bench) {
  return {part_of(bench, "data", &StepTime::data), part_of(bench, "forward", &StepTime::forward),
          part_of(bench, "backward", &StepTime::backward), part_of(bench, "step", &StepTime::step),
          part_of(bench, "whole", &StepTime::whole)};
}

double samples_per_second(const Bench& bench) {
  double samples = 0;
  double seconds = 0;
  for (const StepTime& step : bench.steps) {
    samples += static_cast<double>(step.samples);
    seconds += step.whole;
  }
  return samples / seconds;
}

std::string table(const std::vector<Part>& parts) {
  static constexpr const char* kWords[] = {"waiting for the batch", "and the loss", "",
                                           "gradient norm, clipping, optimizer", ""};
  std::string text =
      fmt::format("\n  {:<10} {:>10} {:>10} {:>8}\n", "ms a step", "median", "9 of 10", "share");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    std::string line = fmt::format("  {:<10} {:>10.3f} {:>10.3f} {:>6.1f} %  {}", part.name,
                                   part.median * 1e3, part.slow * 1e3, part.share * 100, kWords[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + "\n";
}

/// Returns a sentence on the share of the time that training waits for data.
std::string waiting_words(const recipe::Recipe& recipe, double share) {
  // Below 2 % more workers would change nothing that can be measured.
  if (share < 0.02) return "batches are there before they are wanted";
  return fmt::format("training waits for data, {:.0f} % of the time; data.workers is {}",
                     share * 100, recipe.data.workers);
}

std::string text_of(const recipe::Recipe& recipe, const Bench& bench) {
  const std::vector<Part> parts = parts_of(bench);
  std::string text = recipe.name + "\n";
  text += run::summary_line(
      "steps", fmt::format("{}, after {} to warm up; on {}", track::grouped(bench.steps.size()),
                           bench.first, schema::count_words(recipe.threads.value(), "thread")));
  text += table(parts);
  text += run::summary_line("speed", track::short_count(samples_per_second(bench)) + " samples/s");
  text += run::summary_line("waits", waiting_words(recipe, parts.front().share));
  return text + run::summary_line("memory", schema::byte_words(static_cast<double>(bench.memory)) +
                                                " of tensors at most, besides the parameters");
}

nlohmann::json json_of(const recipe::Recipe& recipe, const Bench& bench) {
  nlohmann::json parts = nlohmann::json::object();
  for (const Part& part : parts_of(bench))
    parts[part.name] = {{"median", part.median}, {"nine_of_ten", part.slow}, {"share", part.share}};
  return {{"name", recipe.name},
          {"steps", bench.steps.size()},
          {"threads", recipe.threads.value()},
          {"seconds", parts},
          {"samples_per_second", samples_per_second(bench)},
          {"memory", bench.memory}};
}

}  // namespace

Exit bench_run(const Call& call) {
  const Understood understood = understand(call);
  const auto warn = [](const std::string& text) { fmt::print(stderr, "warning: {}\n", text); };
  if (*understood.recipe.distributed.ranks > 1)
    warn(fmt::format(
        "the steps of one process are measured, with whole batches: not those of {} ranks",
        *understood.recipe.distributed.ranks));
  Job job = prepare(understood.recipe);
  choose_threads(job);
  const Bench result = bench(job, kSeconds, warn);
  const std::string text = call.format == "json"
                               ? schema::json_text(json_of(job.recipe, result), 2) + "\n"
                               : text_of(job.recipe, result);
  std::fputs(text.c_str(), stdout);
  return Exit::done;
}

}  // namespace knead::engine
