#include "runner/engine/step/evaluation.h"

#include <chrono>

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/device/autocast.h"
#include "runner/engine/device/generators.h"
#include "runner/plan/random.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Puts a model into evaluation mode, without gradients, during its lifetime. The destructor
/// restores its buffers and attributes and train mode, so that an evaluation does not change
/// training.
class Evaluating {
 public:
  explicit Evaluating(model::Model& model) : model_(model), backup_(model.backup()) {
    model_.train(false);
  }
  ~Evaluating() {
    backup_.restore();
    model_.train(true);
  }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  model::Model& model_;
  model::Backup backup_;
  c10::NoGradGuard no_gradients_;
};

}  // namespace

struct SetEvaluation::Sums {
  explicit Sums(std::size_t measures) : states(measures) {}

  double loss = 0;
  double weight = 0;
  std::vector<metrics::State> states;
};

Feed SetEvaluation::feed() const {
  const plan::Windows windows(set.size(), batch, false);
  return Feed(set, fields, windows, plan::EpochOrder(set.size(), seed, false), 0,
              windows.steps_per_epoch(), reading);
}

/// Runs forward for the next batch and adds its loss and metrics to the sums.
void SetEvaluation::add(model::Model& model, Feed& feed, Sums& sums) const {
  MicroBatch part = feed.part(0, feed.next().window.size);
  const Autocast in(precision);
  const c10::IValue returned = model.forward(std::move(part.inputs));
  const Output seen(returned, output, model.returns_at());
  const losses::Part here = seen.at_return([&] { return loss.of(seen, part.samples); });
  sums.weight += here.weight;
  sums.loss += here.sum.item<double>();
  for (std::size_t m = 0; m < measures.size(); ++m)
    measures[m]->merge(sums.states[m],
                       seen.at_return([&] { return measures[m]->of(returned, part.samples); }));
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
  const auto begin = std::chrono::steady_clock::now();
  const Evaluating mode(model);
  // Random numbers of an evaluation depend on seed and step alone, not on the training before it.
  const BorrowedGenerator generator(plan::random_bits(seed, plan::Purpose::evaluation, 0, step));
  Feed batches = feed();
  Sums sums(measures.size());
  for (std::uint64_t done = 0; done < set.size(); done += batch) {
    if (stop.is_asked()) return std::nullopt;  // a resumed run repeats it from the start
    add(model, batches, sums);
  }
  expect_targets(sums);
  plan::Evaluation evaluation{.step = step, .set = name, .values = values_of(sums)};
  evaluation.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return evaluation;
}

SetEvaluation::Sums SetEvaluation::first_batch(model::Model& model) const {
  const Evaluating mode(model);
  // Any fixed seed: only errors and the values of a plan come from this batch.
  const BorrowedGenerator generator(0);
  Feed batches = feed();
  Sums sums(measures.size());
  add(model, batches, sums);
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

void SetEvaluation::try_first_batch(model::Model& model) const { first_batch(model); }

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
          .precision = job.recipe.precision};
}

void try_interpreted(Job& job) {
  if (!job.trained.model->is_interpreted()) return;
  evaluation_of(job, "trial", job.sets.train).try_first_batch(*job.trained.model);
}

}  // namespace knead::engine
