#include "runner/engine/step/evaluation.h"

#include <chrono>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "runner/engine/device/autocast.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/model/module/evaluating.h"
#include "runner/engine/predictions/judged.h"
#include "runner/engine/step/distribute.h"
#include "runner/plan/random.h"
#include "schema/document/error.h"

namespace knead::engine {
struct SetEvaluation::Sums {
  explicit Sums(std::size_t measures) : states(measures) {}

  double loss = 0;
  double weight = 0;
  std::vector<metrics::State> states;

  /// Appends the sums to a list of numbers, each state behind its length.
  void write(std::vector<double>& numbers) const {
    numbers.insert(numbers.end(), {loss, weight});
    for (const metrics::State& state : states) {
      numbers.push_back(static_cast<double>(state.size()));
      numbers.insert(numbers.end(), state.begin(), state.end());
    }
  }

  /// Reads what write() appended from `numbers`, and moves `numbers` behind it.
  void read(std::span<const double>& numbers) {
    const auto take = [&numbers](std::size_t count) {
      const std::span<const double> taken = numbers.first(count);
      numbers = numbers.subspan(count);
      return taken;
    };
    loss = take(1)[0];
    weight = take(1)[0];
    for (metrics::State& state : states) {
      const std::span<const double> values = take(static_cast<std::size_t>(take(1)[0]));
      state.assign(values.begin(), values.end());
    }
  }
};

/// Returns a feed of some batches of the set, counted from 0.
Feed SetEvaluation::feed(const plan::Window& batches) const {
  return Feed(set, fields, plan::Windows(set.size(), batch, false),
              plan::EpochOrder(set.size(), seed, false), batches.first,
              batches.first + batches.size, reading);
}

/// Runs forward for the next batch and returns its loss and metrics.
/// Adds its samples to `tally` unless it is null.
SetEvaluation::Sums SetEvaluation::sums_of_next(model::Model& model, Feed& feed,
                                                PredictionTally* tally) const {
  const plan::Window window = feed.next().window;
  MicroBatch part = feed.part(0, window.size);
  const Autocast in(precision);
  const c10::IValue returned = model.forward(std::move(part.inputs));
  const Output seen(returned, output, model.returns_at());
  const losses::Part here = seen.at_return([&] { return loss.of(seen, part.samples); });
  Sums sums(measures.size());
  sums.weight = here.weight;
  sums.loss = here.sum.item<double>();
  for (std::size_t m = 0; m < measures.size(); ++m)
    sums.states[m] = seen.at_return([&] { return measures[m]->of(returned, part.samples); });
  if (tally)
    seen.at_return([&] { judge(seen, part.samples, window.first, {recipe_loss, loss}, *tally); });
  return sums;
}

void SetEvaluation::add(Sums part, Sums& total) const {
  total.weight += part.weight;
  total.loss += part.loss;
  for (std::size_t m = 0; m < measures.size(); ++m)
    measures[m]->merge(total.states[m], std::move(part.states[m]));
}

/// Returns the sums over the batches of all ranks, added in the order of the batches. `own`: those
/// of this rank.
SetEvaluation::Sums SetEvaluation::add_over_ranks(const std::vector<Sums>& own) const {
  std::vector<double> numbers;
  for (const Sums& each : own) each.write(numbers);
  Sums total(measures.size());
  const std::string text(reinterpret_cast<const char*>(numbers.data()),
                         numbers.size() * sizeof(double));
  for (const std::string& of_rank : group->gather(text)) {
    std::vector<double> read(of_rank.size() / sizeof(double));
    std::memcpy(read.data(), of_rank.data(), of_rank.size());
    for (std::span<const double> rest = read; !rest.empty();) {
      Sums part(measures.size());
      part.read(rest);
      add(std::move(part), total);
    }
  }
  return total;
}

/// Returns the tally of the samples of all ranks.
PredictionTally SetEvaluation::merge_over_ranks(const PredictionTally& own) const {
  const std::vector<double> numbers = own.numbers();
  PredictionTally all(kept_samples);
  const std::string text(reinterpret_cast<const char*>(numbers.data()),
                         numbers.size() * sizeof(double));
  for (const std::string& of_rank : group->gather(text)) {
    std::vector<double> read(of_rank.size() / sizeof(double));
    std::memcpy(read.data(), of_rank.data(), of_rank.size());
    all.merge(PredictionTally::from(kept_samples, read));
  }
  return all;
}

/// Throws knead::Error if no target counts, because the mean loss would be 0 / 0.
void SetEvaluation::expect_targets(const Sums& sums) const {
  if (sums.weight != 0) return;
  throw Error(
      fmt::format("no target of the {} set counts: all are ignored, or have the weight 0", name),
      "look at loss.ignore_index and at the values of the target");
}

std::optional<plan::Evaluation> SetEvaluation::run(model::Model& model, std::uint64_t step,
                                                   const run::Stop& stop) const {
  auto found = run_with_samples(model, step, stop);
  if (!found) return std::nullopt;
  return std::move(found->numbers);
}

std::optional<SetEvaluation::Found> SetEvaluation::run_with_samples(model::Model& model,
                                                                    std::uint64_t step,
                                                                    const run::Stop& stop) const {
  const auto begin = std::chrono::steady_clock::now();
  const model::Evaluating mode(model);
  copy_buffers_from_first(model, *group);
  const BorrowedGenerator generator(0);
  const plan::Share share{static_cast<std::uint64_t>(group->rank()),
                          static_cast<std::uint64_t>(group->ranks())};
  const plan::Windows windows(set.size(), batch, false);
  const plan::Window own = share.of({.epoch = 0, .first = 0, .size = windows.steps_per_epoch()});
  Feed batches = feed(own);
  const std::uint64_t all = windows.steps_per_epoch();
  const std::uint64_t most = (all + share.ranks - 1) / share.ranks;  // batches of a rank
  std::vector<Sums> parts;
  std::optional<PredictionTally> tally;
  if (kept_samples > 0) tally.emplace(kept_samples);
  bool is_stopped = false;
  for (std::uint64_t i = 0; i < (shards ? most : own.size); ++i) {
    // Ranks that gather parameters for each other stop together.
    is_stopped = shards ? group->any(stop.is_asked()) : stop.is_asked();
    if (is_stopped) break;
    const auto evaluate = [&] {
      // Random numbers depend on seed, step and batch alone: neither on the training before the
      // evaluation nor on the rank.
      seed_generator(plan::random_bits(seed, plan::Purpose::evaluation,
                                       static_cast<std::uint32_t>(own.first + i), step));
      parts.push_back(sums_of_next(model, batches, tally ? &*tally : nullptr));
    };
    if (i < all / share.ranks || !shards) {
      evaluate();
    } else {
      shards->compute_or_follow(i < own.size, evaluate);
    }
  }
  if (shards) shards->end_pass();
  if (group->any(is_stopped)) return std::nullopt;  // a resumed run repeats it from the start
  const Sums sums = add_over_ranks(parts);
  expect_targets(sums);
  plan::Evaluation evaluation{.step = step, .set = name, .values = values_of(sums)};
  evaluation.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (tally) tally = merge_over_ranks(*tally);
  return Found{std::move(evaluation), std::move(tally)};
}

SetEvaluation::Sums SetEvaluation::first_batch(model::Model& model, bool as_in_training) const {
  const model::Evaluating mode(model);
  const at::AutoGradMode gradients(as_in_training);
  // Any fixed seed: only errors and the values of a plan come from this batch.
  const BorrowedGenerator generator(0);
  Feed batches = feed({.epoch = 0, .first = 0, .size = 1});
  PredictionTally tally(kept_samples);
  Sums sums = sums_of_next(model, batches, kept_samples > 0 ? &tally : nullptr);
  // Another batch may have targets that count.
  if (set.size() <= batch) expect_targets(sums);
  return sums;
}

SetEvaluation::Values SetEvaluation::values_of(const Sums& sums) const {
  Values values{{"loss", sums.loss / sums.weight}};
  for (std::size_t m = 0; m < measures.size(); ++m)
    values.emplace_back(measures[m]->name(), measures[m]->value(sums.states[m]));
  return values;
}

void SetEvaluation::try_first_batch(model::Model& model, bool as_in_training) const {
  first_batch(model, as_in_training);
}

SetEvaluation::Values SetEvaluation::values_of_first_batch(model::Model& model) const {
  const Sums sums = first_batch(model);
  if (sums.weight == 0) return {};
  return values_of(sums);
}

SetEvaluation evaluation_of(Job& job, const std::string& name, const data::Set& set) {
  data::Reading reading = job.reading();
  reading.purpose = name;
  return {.name = name,
          .set = set,
          .fields = job.fields,
          .batch = static_cast<std::uint64_t>(job.recipe.evaluate.batch.value()),
          .reading = std::move(reading),
          .output = job.trained.output,
          .loss = *job.trained.loss,
          .measures = job.trained.metrics,
          .seed = static_cast<std::uint64_t>(job.recipe.seed),
          .precision = job.recipe.precision,
          .group = job.group,
          .shards = job.shards && !job.shards->parameters_are_whole() ? job.shards.get() : nullptr,
          .recipe_loss = job.recipe.loss,
          .kept_samples =
              name == "validation" ? static_cast<std::size_t>(job.recipe.evaluate.samples) : 0};
}

void try_interpreted(Job& job) {
  if (!job.trained.model->is_interpreted()) return;
  evaluation_of(job, "trial", job.sets.train)
      .try_first_batch(*job.trained.model, /*as_in_training=*/true);
}

void try_evaluations(Job& job) {
  model::Model& model = *job.trained.model;
  if (job.sets.validation)
    evaluation_of(job, "validation", *job.sets.validation).try_first_batch(model);
  if (job.sets.test) evaluation_of(job, "test", *job.sets.test).try_first_batch(model);
}

}  // namespace knead::engine
