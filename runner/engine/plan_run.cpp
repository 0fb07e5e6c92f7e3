#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "runner/engine/call.h"
#include "runner/engine/job.h"
#include "runner/engine/measure.h"
#include "runner/engine/summary.h"
#include "runner/engine/tensor_words.h"
#include "runner/engine/verbs.h"
#include "runner/plan/due.h"
#include "schema/quantity.h"

namespace knead::engine {
namespace {

std::string micro_batches(const Job& job) {
  const auto micro = static_cast<std::uint64_t>(job.recipe.batch.micro.value());
  const auto size = static_cast<std::uint64_t>(job.recipe.batch.size);
  const std::uint64_t last = job.windows.at(job.windows.steps_per_epoch() - 1).size;
  const std::string whole = fmt::format("{} × {} samples a step", size / micro, micro);
  return last == size ? whole : fmt::format("{}; the last step of an epoch has {}", whole, last);
}

/// "after steps 47, 94, 141 … 940: 20 times".
std::string evaluations(const Job& job) {
  const plan::Cadence cadence("evaluate.every", {job.recipe.evaluate.every}, job.windows);
  if (!job.steps) return "every " + schema::to_string(job.recipe.evaluate.every);
  std::vector<std::uint64_t> due;
  for (std::uint64_t step = 1; step <= *job.steps; ++step) {
    if (cadence.due(step) || step == *job.steps) due.push_back(step);
  }
  std::string steps;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, due.size()); ++i)
    steps += fmt::format("{}{}", i == 0 ? "" : ", ", due[i]);
  if (due.size() > 3) steps += fmt::format("{} {}", due.size() > 4 ? " …" : ",", due.back());
  return fmt::format("after step{} {}: {} time{}", due.size() == 1 ? "" : "s", steps, due.size(),
                     due.size() == 1 ? "" : "s");
}

std::string saves(const Job& job) {
  std::string every;
  for (const schema::Quantity& interval : job.recipe.checkpoint.every)
    every += (every.empty() ? "every " : ", ") + schema::to_string(interval);
  const bool keeps_best = job.recipe.checkpoint.keep.best.value() > 0;
  return every + (keeps_best ? ", at the best evaluation" : "") + ", and at the end";
}

/// The learning rate at six places of the run.
std::string rates(const Job& job) {
  if (!job.steps) return fmt::format("{:g} at first", job.rate * job.schedule.factor(0));
  std::string text;
  const std::uint64_t last = *job.steps - 1;
  for (std::uint64_t i = 0; i <= 5; ++i) {
    const std::uint64_t step = last * i / 5;
    text += fmt::format("{}{:g}", i == 0 ? "" : "  ", job.rate * job.schedule.factor(step));
  }
  return text + fmt::format("  at steps 1 to {}", *job.steps);
}

/// How much each item of optimizer.groups has, and what is left; nothing without such items.
std::string groups(const Job& job) {
  const auto sizes = job.optimizer->sizes();
  if (sizes.size() == 1) return "";
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& [words, parameters, numbers] = sizes[i];
    text += summary_line(
        i == 0 ? "groups" : "",
        fmt::format("{}: {} parameter{}, {} number{}", words.empty() ? "all others" : words,
                    parameters, parameters == 1 ? "" : "s", numbers, numbers == 1 ? "" : "s"));
  }
  return text;
}

std::string parameter_table(const model::Model& model) {
  std::size_t width = 0;
  for (const NamedTensor& each : model.parameters()) width = std::max(width, each.name.size());
  std::string text;
  for (const NamedTensor& each : model.parameters()) {
    text += fmt::format("    {:<{}}  {:>14}  {:>12}{}\n", each.name, width,
                        shape_words(each.tensor.sizes()), each.tensor.numel(),
                        each.tensor.requires_grad() ? "" : "  frozen");
  }
  for (const model::Alias& alias : model.aliases())
    text += fmt::format("    {:<{}}  is {}\n", alias.name, width, alias.of);
  return text;
}

/// Runs the first micro-batch forward and backward, as training would: a model that does not take
/// the data is found here. Its loss.
double first_loss(Job& job) {
  const plan::EpochOrder order(job.sets.train.size(), static_cast<std::uint64_t>(job.recipe.seed),
                               job.recipe.data.shuffle);
  Feed feed(job.sets.train, job.fields, job.windows, order, 0, 1, {0, 1});
  const auto micro = static_cast<std::uint64_t>(job.recipe.batch.micro.value());
  MicroBatch part = feed.part(0, std::min(micro, feed.next().window.size));
  const c10::IValue returned = job.model->forward(std::move(part.inputs));
  const at::Tensor output = pick_output(returned, job.recipe.model.output, job.model->returns_at());
  const at::Tensor sum = job.loss->sum(output, part.target);
  job.model->backward(sum, [&] { sum.backward(); });
  return sum.item<double>() / job.loss->weight(part.target);
}

}  // namespace

Exit plan_run(const Call& call) {
  const Understood understood = understand(call);
  Job job = prepare(understood.recipe);
  std::string text = summary(job.recipe) + measure(job);
  text += summary_line("micro", micro_batches(job));
  text += groups(job) + summary_line("lr", rates(job));
  if (job.sets.validation) text += summary_line("evaluate", evaluations(job));
  text += summary_line("save", saves(job));
  text += parameter_table(*job.model);
  text += summary_line("loss", fmt::format("{:.6g} on the first micro-batch", first_loss(job)));
  std::fputs(text.c_str(), stdout);
  return Exit::done;
}

}  // namespace knead::engine
