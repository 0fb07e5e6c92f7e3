#include "runner/engine/verbs/bench_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/run/summary.h"
#include "runner/track/short_text.h"
#include "schema/document/byte_words.h"
#include "schema/document/count_words.h"

namespace knead::engine {
namespace {

/// Names a part of a step, and says what it is where the name does not.
struct Part {
  const char* name;
  const char* words;
  double StepTime::*time;
  bool is_of_ranks;  // only several ranks have it
};

constexpr Part kParts[] = {
    {"data", "waiting for the batch", &StepTime::data, false},
    {"forward", "and the loss", &StepTime::forward, false},
    {"backward", "", &StepTime::backward, false},
    {"wait", "", &StepTime::wait, true},
    {"reduce", "", &StepTime::reduce, true},
    {"step", "gradient norm, clipping, optimizer", &StepTime::step, false},
    {"whole", "", &StepTime::whole, false},
};

/// Returns the quantile of the values at `share`, from 0 to 1.
double at_share(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

nlohmann::json seconds_of(const Bench& bench, double StepTime::*time) {
  std::vector<double> values;
  double sum = 0;
  double whole = 0;
  for (const StepTime& step : bench.steps) {
    values.push_back(step.*time);
    sum += step.*time;
    whole += step.whole;
  }
  return {{"median", at_share(values, 0.5)},
          {"nine_of_ten", at_share(values, 0.9)},
          {"share", sum / whole}};
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

double number_of(const nlohmann::json& rank, const char* part, const char* what) {
  return rank.at("seconds").at(part).at(what).get<double>();
}

std::string without_blanks_at_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

/// Returns a line for each part of a step of a single rank.
std::string table_of_parts(const nlohmann::json& rank) {
  std::string text =
      fmt::format("\n  {:<10} {:>10} {:>10} {:>8}\n", "ms a step", "median", "9 of 10", "share");
  for (const Part& part : kParts) {
    if (part.is_of_ranks) continue;
    text += without_blanks_at_end(fmt::format(
        "  {:<10} {:>10.3f} {:>10.3f} {:>6.1f} %  {}", part.name,
        number_of(rank, part.name, "median") * 1e3, number_of(rank, part.name, "nine_of_ten") * 1e3,
        number_of(rank, part.name, "share") * 100, part.words));
  }
  return text + "\n";
}

/// Returns a line for each rank, with the medians of the parts of its steps.
std::string table_of_ranks(const std::vector<nlohmann::json>& ranks) {
  std::string text = fmt::format("\n  {:<9}", "ms a step");
  for (const Part& part : kParts) text += fmt::format(" {:>10}", part.name);
  text += "\n";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    text += fmt::format("  {:<9}", fmt::format("rank {}", rank));
    for (const Part& part : kParts)
      text += fmt::format(" {:>10.3f}", number_of(ranks[rank], part.name, "median") * 1e3);
    text += "\n";
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

/// Returns a sentence on how the gradients of several ranks are added up.
std::string reduction_words(const Bench& bench, const std::vector<nlohmann::json>& ranks) {
  std::vector<std::optional<double>> shares;
  for (const nlohmann::json& rank : ranks) {
    const nlohmann::json& hidden = rank.at("hidden");
    shares.push_back(hidden.is_null() ? std::nullopt : std::optional(hidden.get<double>()));
  }
  return fmt::format("{} of gradients a step, alone in {:.3f} ms; {}",
                     schema::byte_words(static_cast<double>(bench.reduced)),
                     bench.reduce_alone * 1e3, hiding_words(shares));
}

}  // namespace

std::string hiding_words(const std::vector<std::optional<double>>& shares) {
  std::vector<long> percents;
  for (const std::optional<double>& share : shares)
    if (share) percents.push_back(std::lround(*share * 100));
  if (percents.empty()) return "what backward hides cannot be seen";
  const auto [least, most] = std::minmax_element(percents.begin(), percents.end());
  if (percents.size() < shares.size())
    return fmt::format("backward hides up to {} % of that", *most);
  const std::string range =
      *least == *most ? std::to_string(*most) : fmt::format("{} to {}", *least, *most);
  return fmt::format("backward hides {} % of that", range);
}

nlohmann::json report_of_rank(const Bench& bench) {
  const bool is_of_ranks = bench.reduce_alone != 0;
  nlohmann::json seconds = nlohmann::json::object();
  for (const Part& part : kParts)
    if (is_of_ranks || !part.is_of_ranks) seconds[part.name] = seconds_of(bench, part.time);
  nlohmann::json report{{"seconds", std::move(seconds)}, {"memory", bench.memory}};
  if (!is_of_ranks) return report;
  report["reduce_alone"] = bench.reduce_alone;
  const std::optional<double> hidden = hidden_share(bench);
  report["hidden"] = hidden ? nlohmann::json(*hidden) : nlohmann::json();
  return report;
}

nlohmann::json bench_json(const recipe::Recipe& recipe, const Bench& bench,
                          const std::vector<nlohmann::json>& ranks) {
  nlohmann::json all{{"name", recipe.name},
                     {"steps", bench.steps.size()},
                     {"threads", recipe.threads.value()},
                     {"seconds", ranks[0].at("seconds")},
                     {"samples_per_second", samples_per_second(bench)},
                     {"memory", bench.memory}};
  if (ranks.size() == 1) return all;
  all["ranks"] = ranks;
  all["reduced"] = bench.reduced;
  return all;
}

std::string bench_text(const recipe::Recipe& recipe, const Bench& bench,
                       const std::vector<nlohmann::json>& ranks) {
  const bool is_alone = ranks.size() == 1;
  std::string text = recipe.name + "\n";
  text += run::summary_line(
      "steps",
      fmt::format("{}, after {} to warm up; on {}{}", track::grouped(bench.steps.size()),
                  bench.first, is_alone ? "" : fmt::format("each of {} ranks with ", ranks.size()),
                  schema::count_words(recipe.threads.value(), "thread")));
  text += is_alone ? table_of_parts(ranks[0]) : table_of_ranks(ranks);
  text += run::summary_line("speed", track::short_count(samples_per_second(bench)) + " samples/s");
  text += run::summary_line("waits", waiting_words(recipe, number_of(ranks[0], "data", "share")));
  if (!is_alone) {
    text += run::summary_line("wait", "for slower ranks, and for the buffers of rank 0");
    text += run::summary_line("reduce", reduction_words(bench, ranks));
  }
  return text + run::summary_line("memory", schema::byte_words(static_cast<double>(bench.memory)) +
                                                " of tensors at most, besides the parameters");
}

}  // namespace knead::engine
