#include "runner/engine/page/plan_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/page/evaluated_lines.h"
#include "runner/engine/page/memory_section.h"
#include "runner/run/summary.h"
#include "runner/track/curve.h"
#include "runner/track/short_text.h"
#include "schema/document/byte_words.h"
#include "schema/document/quantity.h"
#include "schema/document/scalar.h"

namespace knead::engine {
namespace {

using schema::byte_words;
using schema::number_text;
using track::grouped;
using track::short_count;

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

// --- steps

std::string samples_words(const PlanFacts& facts) {
  std::string words = grouped(facts.train) + " to train on";
  if (facts.validation) words += ", " + grouped(*facts.validation) + " to validate";
  if (facts.test) words += ", " + grouped(*facts.test) + " to test";
  return words;
}

/// Returns the steps of an epoch: "47 steps of 32 samples, 4 × 8; the last has 25".
std::string epoch_words(const PlanFacts& facts) {
  std::string words =
      fmt::format("{} of {}", plural(facts.steps_per_epoch, "step"), plural(facts.batch, "sample"));
  if (facts.ranks && facts.accumulation > 1)
    words += fmt::format(", {} × {} × {}", facts.ranks->ranks, facts.accumulation, facts.micro);
  else if (facts.accumulation > 1)
    words += fmt::format(", {} × {}", facts.accumulation, facts.micro);
  if (facts.last_batch != facts.batch) words += fmt::format("; the last has {}", facts.last_batch);
  return words;
}

/// Returns what several ranks do: "3, which take 11 or 10 samples of a batch; each sends 91.9 KB of
/// gradients for a step, 0.01 ms at 10 GB a second".
std::string rank_words(const recipe::Recipe& recipe, const RankFacts& facts) {
  std::string words = fmt::format("{}, which take {}", facts.ranks, facts.most);
  if (facts.least != facts.most) words += fmt::format(" or {}", facts.least);
  words += fmt::format(" samples of a batch; each sends {} of gradients for a step",
                       schema::byte_words(static_cast<double>(facts.sent)));
  if (facts.seconds)
    words += fmt::format(", {:.3g} ms at {} a second", 1000 * *facts.seconds,
                         schema::to_string(*recipe.distributed.bandwidth));
  return words;
}

std::string run_words(const recipe::Recipe& recipe, const PlanFacts& facts) {
  if (!facts.steps) return schema::to_string(recipe.train.until);
  const double epochs =
      static_cast<double>(*facts.steps) / static_cast<double>(facts.steps_per_epoch);
  return fmt::format("{}, {:.4g} epochs, {}", plural(*facts.steps, "step"), epochs,
                     plural(facts.samples, "sample"));
}

/// Returns the steps at which an action is due: "20 times: after steps 47, 94, 141 … 940".
std::string times_words(const DueSteps& due) {
  const std::size_t count = due.steps.size();
  std::string words = due.all ? plural(count, "time") : "more than 10,000 times";
  words += count == 1 ? ": after step " : ": after steps ";
  for (std::size_t i = 0; i < std::min<std::size_t>(3, count); ++i)
    words += (i == 0 ? "" : ", ") + grouped(due.steps[i]);
  if (count > 3 && due.all) words += (count > 4 ? " … " : ", ") + grouped(due.steps.back());
  return words + (due.all ? "" : " …");
}

std::string every_words(const std::vector<schema::Quantity>& intervals) {
  std::string words;
  for (const schema::Quantity& interval : intervals)
    words += (words.empty() ? "every " : ", ") + schema::to_string(interval);
  return words;
}

std::string save_words(const recipe::Recipe& recipe) {
  const bool keeps_best = recipe.checkpoint.keep.best.value() > 0;
  return every_words(recipe.checkpoint.every) +
         (keeps_best ? ", at the best evaluation, and at the end" : ", and at the end");
}

std::string steps_section(const recipe::Recipe& recipe, const PlanFacts& facts,
                          const std::string& state) {
  std::string text = "\nsteps\n" + run::summary_line("samples", samples_words(facts));
  text += run::summary_line("epoch", epoch_words(facts));
  if (facts.ranks) text += run::summary_line("ranks", rank_words(recipe, *facts.ranks));
  text += run::summary_line("run", run_words(recipe, facts));
  text += run::summary_line(
      "report", facts.steps ? times_words(facts.reports) : every_words({recipe.track.every}));
  if (facts.validation)
    text += run::summary_line("evaluate", facts.steps ? times_words(facts.evaluations)
                                                      : every_words({recipe.evaluate.every})) +
            evaluated_lines(recipe.evaluate);
  text += run::summary_line("save", save_words(recipe));
  return text + run::summary_line("begin", state);
}

// --- learning rate

/// Returns the learning rate at the first and last step and at the quarters of the run.
std::string rate_places(const Course& course, std::uint64_t last) {
  std::string words;
  for (std::uint64_t i = 0; i <= 4; ++i) {
    const std::uint64_t step = 1 + (last - 1) * i / 4;
    words += fmt::format("{}{:.4g} at {}", i == 0 ? "" : ", ", course.rate_at(step), grouped(step));
  }
  return words;
}

/// Returns the curve of the learning rate over the run, or one line if the rate is constant or the
/// length of the run is a time.
std::string rate_section(const Course& course, const PlanFacts& facts) {
  std::vector<double> values;
  for (const auto& [step, rate] : facts.rates) values.push_back(rate);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const std::string title = "\nlearning rate\n";
  if (!facts.steps) return title + run::summary_line("at first", number_text(values.front()));
  if (*low == *high) return title + run::summary_line("always", number_text(*high));
  const auto lines = track::area(values, 5);
  const std::string most = fmt::format("{:.4g}", *high);
  std::string text = title;
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += fmt::format("  {:>10} {}{}\n", i == 0 ? most : "", i == 0 ? "┤" : "│", lines[i]);
  std::string axis;
  // Not std::string(n, c): the character of the axis has three bytes in UTF-8.
  for (std::size_t i = 0; i < values.size(); ++i) axis += "─";
  text += fmt::format("  {:>10} ┼{}\n", "0", axis);
  text += fmt::format("  {:>10}  1{:>{}}\n", "step", grouped(*facts.steps),
                      values.size() > 1 ? values.size() - 1 : 1);
  return text + run::summary_line("", rate_places(course, *facts.steps));
}

// --- model

std::string parameter_words(const PlanFacts& facts) {
  const auto all = static_cast<std::uint64_t>(facts.parameters);
  std::string words = fmt::format("{} in {}", grouped(all), plural(facts.tensors, "tensor"));
  if (facts.trained == facts.parameters) return words;
  const auto trained = static_cast<std::uint64_t>(facts.trained);
  return words + fmt::format(": {} trained, {} frozen", grouped(trained), grouped(all - trained));
}

/// Returns the FLOPs of forward and backward per sample, of a step and of the run.
std::string work_words(const PlanFacts& facts) {
  const Rehearsal& first = facts.rehearsal;
  const auto samples = static_cast<double>(first.samples);
  const double forward = first.forward_work / samples;
  const double backward = first.backward_work / samples;
  std::string words =
      fmt::format("{} FLOPs forward and {} backward a sample; {} a step", short_count(forward),
                  short_count(backward), short_count((forward + backward) * double(facts.batch)));
  if (facts.steps)
    words += fmt::format(", {} the run", short_count((forward + backward) * double(facts.samples)));
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Returns a line for each item of optimizer.groups and one for all other parameters; empty without
/// groups.
std::string group_lines(const std::vector<optimize::GroupSize>& sizes) {
  std::string text;
  for (std::size_t i = 0; sizes.size() > 1 && i < sizes.size(); ++i) {
    const auto& [words, parameters, numbers] = sizes[i];
    text +=
        run::summary_line(i == 0 ? "groups" : "",
                          fmt::format("{}: {} in {}", words.empty() ? "all others" : words,
                                      grouped(static_cast<std::uint64_t>(numbers)),
                                      plural(static_cast<std::uint64_t>(parameters), "tensor")));
  }
  return text;
}

std::string model_section(const PlanFacts& facts) {
  const Rehearsal& first = facts.rehearsal;
  std::string text = "\nmodel\n" + tree_text(facts.model, first.samples) + "\n";
  if (!facts.weights.empty()) text += run::summary_line("weights", facts.weights);
  text += run::summary_line("parameters", parameter_words(facts)) + group_lines(facts.groups);
  text += run::summary_line("work", work_words(facts));
  if (!first.unknown_work.empty())
    text += run::summary_line(
        "", "without " + joined(first.unknown_work) + ", whose work is not known");
  return text;
}

/// Returns a sentence for samples whose mean loss is not defined.
std::string no_target_words(const std::string& samples) {
  return fmt::format("no target of {} counts: all are ignored, or have the weight 0", samples);
}

/// Returns the loss of the first micro-batch and the gradient norm of the first step.
std::string train_words(const Rehearsal& first) {
  const std::string samples = plural(first.samples, "sample");
  if (!first.loss) return no_target_words(samples);
  return fmt::format("loss {:.4g} of {}, gradient norm {:.4g}", *first.loss, samples,
                     first.gradient_norm);
}

/// Returns the loss and the metrics of the first batch of the validation set.
std::string validation_words(const Rehearsal& first) {
  if (first.evaluation.empty()) return no_target_words("the first batch");
  std::string values;
  for (const auto& [name, value] : first.evaluation)
    values += fmt::format("{}{} {:.4g}", values.empty() ? "" : ", ", name, value);
  return values;
}

std::string first_section(const PlanFacts& facts) {
  const Rehearsal& first = facts.rehearsal;
  std::string text = "\nfirst step\n" + run::summary_line("train", train_words(first));
  if (facts.validation) text += run::summary_line("validation", validation_words(first));
  return text;
}

}  // namespace

std::string plan_page(const recipe::Recipe& recipe, const Course& course, const PlanFacts& facts,
                      const std::string& state) {
  return steps_section(recipe, facts, state) + rate_section(course, facts) + model_section(facts) +
         memory_section(facts) + first_section(facts);
}

}  // namespace knead::engine
