#include "runner/engine/job/job.h"

#include <algorithm>
#include <limits>

#include "runner/data/sets/open.h"
#include "runner/engine/batch/model_inputs.h"
#include "runner/engine/device/generators.h"
#include "runner/engine/job/activation_checkpointing.h"
#include "runner/engine/job/build_model.h"
#include "runner/engine/job/feed_fields.h"
#include "runner/engine/job/freeze.h"
#include "runner/engine/job/initialise.h"
#include "runner/engine/job/model_place.h"
#include "runner/engine/job/parameter_names.h"
#include "runner/engine/job/start_files.h"
#include "runner/engine/optimize/make_optimizer.h"
#include "runner/plan/decide.h"
#include "runner/plan/due.h"
#include "runner/plan/random.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

std::vector<std::string> names_of(const std::vector<data::Field>& fields) {
  std::vector<std::string> names;
  for (const data::Field& field : fields) names.push_back(field.name);
  return names;
}

/// Adds the fields that the loss and the metrics take to `chosen`, each once.
void choose_seen(const losses::Loss& loss,
                 const std::vector<std::unique_ptr<metrics::Metric>>& metrics,
                 const std::vector<data::Field>& fields, FeedFields& chosen) {
  std::vector<std::string> wanted = loss.fields();
  for (const auto& metric : metrics) {
    const auto more = metric->fields();
    wanted.insert(wanted.end(), more.begin(), more.end());
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (std::find(wanted.begin(), wanted.end(), fields[i].name) == wanted.end()) continue;
    chosen.seen.push_back(i);
    chosen.seen_names.push_back(fields[i].name);
  }
}

/// Returns the steps of a run for the schedule, which counts in doubles; infinity if a time ends
/// the run.
double length_of(const std::optional<std::uint64_t>& steps) {
  return steps ? static_cast<double>(*steps) : std::numeric_limits<double>::infinity();
}

/// Loads the weights that a run begins with. For a resumed run only returns their identity.
std::optional<InitialWeights> begin_with(const model::Model& model,
                                         const std::optional<recipe::InitialWeights>& weights,
                                         Start start) {
  if (!weights) return std::nullopt;
  if (start == Start::begins) return load_weights(model, *weights);
  InitialWeights known;
  if (const auto identity = identity_of(*weights)) known.identity = *identity;
  return known;
}

Course course_of(const recipe::Recipe& recipe, const data::Set& train) {
  const plan::Windows windows(train.size(), static_cast<std::uint64_t>(recipe.batch.size),
                              recipe.data.drop_last, data::tokens_in_sample(recipe.data.train));
  const auto steps = plan::total_steps(recipe.train, windows);
  const auto objective = plan::objective(recipe.evaluate.monitor, recipe.evaluate.metrics);
  return {.windows = windows,
          .steps = steps,
          .schedule = {recipe.schedule, windows.epoch(), length_of(steps), objective},
          .objective = objective,
          .rate = optimize::rate_of(recipe.optimizer)};
}

/// Holds a model on the device, with the weights that a run begins with.
struct BegunModel {
  std::unique_ptr<model::Model> model;
  Origin origin;
};

/// Builds the model of a recipe. If the run begins, draws its initial weights from the seed, or
/// loads them. Leaves the generator seeded for dropout.
BegunModel begin_model(const recipe::Recipe& recipe, Start start) {
  const auto seed = static_cast<std::uint64_t>(recipe.seed);
  seed_generator(seed);
  BuiltModel built = build_model(recipe.model);
  auto model = std::move(built.model);
  // Loaded weights come after init, so that they overwrite what it has filled.
  if (recipe.model.init) initialise(*model, *recipe.model.init);
  auto weights = begin_with(*model, recipe.model.weights, start);
  if (recipe.model.freeze) freeze(*model, *recipe.model.freeze);
  expect_real(*model);
  move_to_device(*model);
  // Dropout does not depend on how many numbers the initial weights have drawn.
  seed_generator(plan::random_bits(seed, plan::Purpose::dropout, 0, 0));
  if (recipe.activation_checkpointing)
    checkpoint_activations(*model, *recipe.activation_checkpointing);
  return {.model = std::move(model),
          .origin = {.model_digest = std::move(built.digest), .weights = std::move(weights)}};
}

std::unique_ptr<optimize::Optimizer> optimizer_of(const recipe::Recipe& recipe,
                                                  const model::Model& model) {
  // Frozen parameters have no state.
  const NamedTensors trained = trained_parameters(model);
  return optimize::make_optimizer(recipe.optimizer, trained, names_of(trained, model));
}

std::unique_ptr<optimize::Average> average_of(const recipe::Recipe& recipe,
                                              const model::Model& model, const Course& course) {
  if (!recipe.average) return nullptr;
  return std::make_unique<optimize::Average>(*recipe.average, model.parameters(), course.windows,
                                             course.steps);
}

/// Refuses a model that cannot be exported as the recipe wants, which would show after training.
void check_export(const recipe::Recipe& recipe, const model::Model& model) {
  if (!recipe.export_) return;
  const auto& to = recipe.export_->to;
  const bool wants = std::find(to.begin(), to.end(), recipe::Export::To::torchscript) != to.end();
  if (wants) model.check_archive();
}

}  // namespace

Job prepare(recipe::Recipe recipe, Start start, data::Augmentation augmentation, int ranks) {
  const auto seed = static_cast<std::uint64_t>(recipe.seed);
  data::Sets sets = data::read_sets(recipe.data, seed, augmentation);
  Course course = course_of(recipe, sets.train);
  const std::vector<std::string> names = names_of(sets.train.fields());
  // Loss and metrics come before the model: their mistakes show without building it.
  auto loss = losses::make_loss(recipe.loss, names);
  auto measures =
      metrics::make_metrics(recipe.evaluate.metrics, {recipe.loss, recipe.model.output, names});
  auto start_files = files_of_start(recipe, ranks);
  BegunModel begun;
  std::unique_ptr<optimize::Average> average;
  make_in(start_files.get(), [&] {
    begun = begin_model(recipe, start);
    average = average_of(recipe, *begun.model, course);
  });
  auto& [model, origin] = begun;
  check_export(recipe, *model);
  auto optimizer = optimizer_of(recipe, *model);
  FeedFields fields = choose_fields(recipe, *model, sets.train.fields());
  choose_seen(*loss, measures, sets.train.fields(), fields);
  Trained trained = {.model = std::move(model),
                     .output = recipe.model.output,
                     .loss = std::move(loss),
                     .metrics = std::move(measures),
                     .optimizer = std::move(optimizer),
                     .average = std::move(average)};
  return {.recipe = std::move(recipe),
          .sets = std::move(sets),
          .fields = std::move(fields),
          .trained = std::move(trained),
          .course = std::move(course),
          .origin = std::move(origin),
          .group = std::make_shared<parallel::Group>(),
          .shards = nullptr,
          .start_files = std::move(start_files)};
}

data::Reading Job::reading_of_share() const {
  data::Reading share = reading();
  share.share = {static_cast<std::uint64_t>(group->rank()),
                 static_cast<std::uint64_t>(group->ranks())};
  return share;
}

losses::Part Trained::loss_of(const c10::IValue& returned, const Samples& samples) {
  const Output selected(returned, output, model->returns_at());
  return selected.at_return([&] { return loss->of(selected, samples); });
}

}  // namespace knead::engine
