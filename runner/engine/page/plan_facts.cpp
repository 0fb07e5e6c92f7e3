#include "runner/engine/page/plan_facts.h"

#include <algorithm>

#include "runner/engine/job/strategy.h"
#include "runner/engine/parallel/gradients.h"
#include "runner/engine/step/distribute.h"
#include "runner/plan/due.h"

namespace knead::engine {
namespace {

constexpr std::uint64_t kMostRates = 72;  // columns of the curve on the plan's page

/// Returns the first step after `after`, and at most `last`, at which another interval has passed;
/// std::nullopt if there is none. Bisects, because the number of passed intervals never decreases.
std::optional<std::uint64_t> next_due(const plan::Cadence& cadence, std::uint64_t after,
                                      std::uint64_t last) {
  const std::uint64_t passed = cadence.passed(after);
  if (after >= last || cadence.passed(last) == passed) return std::nullopt;
  std::uint64_t low = after;  // no further interval has passed
  std::uint64_t high = last;  // at least one has
  while (low + 1 < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    (cadence.passed(middle) > passed ? high : low) = middle;
  }
  return high;
}

/// Returns the steps up to `last` at which a cadence is due, and the last step even if it is not.
DueSteps due_steps(const plan::Cadence& cadence, std::uint64_t last) {
  DueSteps due;
  const auto add = [&due](std::uint64_t step) {
    due.all = due.steps.size() < kMostDue;
    if (due.all) due.steps.push_back(step);
    return due.all;
  };
  for (auto step = next_due(cadence, 0, last); step; step = next_due(cadence, *step, last)) {
    if (!add(*step)) return due;
  }
  // A list that was cut off returns above: its reader could not see the gap before the last step.
  if (due.steps.empty() || due.steps.back() != last) add(last);
  return due;
}

void fill_steps(const Job& job, PlanFacts& facts) {
  const recipe::Recipe& recipe = job.recipe;
  const plan::Windows& windows = job.course.windows;
  facts.steps = job.course.steps;
  if (!facts.steps) return;
  const std::uint64_t last = *facts.steps;
  facts.samples = windows.samples_after(last);
  if (job.sets.validation)
    facts.evaluations =
        due_steps(plan::Cadence("evaluate.every", {recipe.evaluate.every}, windows), last);
  facts.reports = due_steps(plan::Cadence("track.every", {recipe.track.every}, windows), last);
  facts.saves =
      due_steps(plan::Cadence("checkpoint.every", recipe.checkpoint.every, windows), last);
}

/// Fills in the learning rates of all steps, or of kMostRates steps that include the first and the
/// last.
void fill_rates(const Course& course, PlanFacts& facts) {
  if (!course.steps) {
    facts.rates.emplace_back(1, course.rate_at(1));
    return;
  }
  const std::uint64_t last = *course.steps - 1;
  const std::uint64_t places = std::min(last, kMostRates - 1);
  for (std::uint64_t i = 0; i <= places; ++i) {
    // Equals last · i ÷ places; multiplying first could overflow for a long run.
    const std::uint64_t step = places == 0 ? 0 : last / places * i + last % places * i / places;
    facts.rates.emplace_back(step + 1, course.rate_at(step + 1));
  }
}

/// Describes the ranks of a recipe; std::nullopt for a single one. A ring of R ranks sends each
/// number 2 (R - 1) / R times: once to be summed, once as the sum.
std::optional<RankFacts> rank_facts(const Job& job) {
  const recipe::Distributed& rule = job.recipe.distributed;
  const auto ranks = static_cast<std::uint64_t>(rule.ranks.value());
  if (ranks == 1) return std::nullopt;
  const plan::Window whole{
      .epoch = 0, .first = 0, .size = static_cast<std::uint64_t>(job.recipe.batch.size)};
  RankFacts facts{.ranks = ranks,
                  .most = plan::Share{0, ranks}.of(whole).size,
                  .least = plan::Share{ranks - 1, ranks}.of(whole).size};
  parallel::Group alone;
  facts.buckets =
      parallel::Gradients(job.trained.model->parameters(), sending_of(job.recipe), alone).bytes();
  facts.sent = 2 * facts.buckets / ranks * (ranks - 1);
  if (rule.bandwidth) facts.seconds = static_cast<double>(facts.sent) / rule.bandwidth->value;
  return facts;
}

/// Returns the bytes that each rank has for itself under every strategy.
std::uint64_t undivided_of(const MemoryUse& memory, std::uint64_t ranks) {
  // The rehearsal reads whole batches, a rank its share of each.
  return static_cast<std::uint64_t>(memory.activations + memory.buffers) +
         static_cast<std::uint64_t>(memory.data) / ranks;
}

/// Compares the strategies of a recipe with several ranks.
StrategyFacts strategy_facts(const Job& job, const plan::ModelBytes& model) {
  const recipe::Distributed& rule = job.recipe.distributed;
  plan::expect_replicas_divide(rule.ranks.value(), rule.replicas);
  StrategyFacts facts{.taken = rule.strategy, .budget = memory_of_rank(job.recipe)};
  for (const plan::Strategy strategy : plan::strategies())
    facts.memory.emplace_back(strategy, plan::memory_of(strategy, model, cutting_of(job.recipe)));
  if (rule.strategy != plan::Strategy::auto_) return facts;
  const plan::Choice choice = chosen_strategy(job, model);
  facts.taken = choice.strategy;
  facts.reason = choice.reason;
  return facts;
}

}  // namespace

PlanFacts plan_facts(Job& job, TensorMemory& memory) {
  PlanFacts facts;
  facts.train = job.sets.train.size();
  if (job.sets.validation) facts.validation = job.sets.validation->size();
  if (job.sets.test) facts.test = job.sets.test->size();
  facts.batch = static_cast<std::uint64_t>(job.recipe.batch.size);
  facts.micro = static_cast<std::uint64_t>(job.recipe.batch.micro.value());
  facts.ranks = rank_facts(job);
  const std::uint64_t share = facts.ranks ? facts.ranks->most : facts.batch;
  facts.accumulation = (share + facts.micro - 1) / facts.micro;
  facts.steps_per_epoch = job.course.windows.steps_per_epoch();
  facts.last_batch = job.course.windows.at(facts.steps_per_epoch - 1).size;
  fill_steps(job, facts);
  fill_rates(job.course, facts);
  facts.tensors = job.trained.model->parameters().size();
  facts.groups = job.trained.optimizer->sizes();
  if (job.origin.weights) facts.weights = job.origin.weights->words;
  // Before the rehearsal, which removes the average.
  plan::ModelBytes model = model_bytes(job);
  facts.rehearsal = rehearse(job, memory);
  if (facts.ranks) {
    model.undivided = undivided_of(facts.rehearsal.memory, facts.ranks->ranks);
    facts.strategies = strategy_facts(job, model);
  }
  facts.model = module_tree(*job.trained.model, facts.rehearsal.modules);
  facts.parameters = facts.model.parameters;
  facts.trained = facts.model.trained;
  return facts;
}

}  // namespace knead::engine
