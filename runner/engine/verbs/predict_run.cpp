#include <algorithm>

#include <ATen/ops/cat.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/batch/model_inputs.h"
#include "runner/engine/device/autocast.h"
#include "runner/engine/device/device.h"
#include "runner/engine/job/build_model.h"
#include "runner/engine/job/job.h"
#include "runner/engine/job/model_place.h"
#include "runner/engine/tensor/tensor_words.h"
#include "runner/engine/train/snapshot.h"
#include "runner/engine/verbs/best_of_run.h"
#include "runner/engine/verbs/predictions.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/posix_files.h"

namespace knead::engine {
namespace {

bool names_a_set(const std::string& data) {
  return data == "train" || data == "validation" || data == "test";
}

/// Which fields forward is given, and its defaults.
FeedFields inputs_of(const recipe::Recipe& recipe, const model::Model& model,
                     const std::vector<data::Field>& fields) {
  std::vector<ForwardParameter> parameters;
  FeedFields chosen;
  for (const model::Input& input : model.inputs()) {
    parameters.push_back({input.name, input.fallback.has_value()});
    chosen.fallbacks.push_back(input.fallback ? c10::IValue(*input.fallback) : c10::IValue());
  }
  chosen.inputs = choose_inputs(recipe.model, parameters, fields, losses::target_of(recipe.loss));
  return chosen;
}

/// The recipe's data as one set, `path`, read as data.train is. A file to predict from mostly has
/// no column that says what is right: only the fields that the model is given are read.
recipe::Data data_at(const recipe::Recipe& recipe, const model::Model& model,
                     const std::string& path) {
  recipe::Data data = recipe.data;
  data.validation.reset();
  data.test.reset();
  auto* csv = std::get_if<recipe::Csv>(&data.train);
  if (!csv)
    throw Error("only csv files are read for a prediction",
                "write --data train, validation or test, and change its path: data.test.path=FILE");
  csv->path = path;
  csv->rows.reset();
  csv->hold_out.reset();
  std::vector<data::Field> all;
  for (const auto& [name, field] : csv->fields) all.emplace_back().name = name;
  const FeedFields chosen = inputs_of(recipe, model, all);
  std::vector<std::pair<std::string, recipe::CsvField>> needed;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_input =
        std::find(chosen.inputs.begin(), chosen.inputs.end(), i) != chosen.inputs.end();
    if (is_input) needed.push_back(csv->fields[i]);
  }
  csv->fields = std::move(needed);
  return data;
}

const data::Set& set_named(const data::Sets& sets, const std::string& name) {
  if (name == "validation" && sets.validation) return *sets.validation;
  if (name == "test" && sets.test) return *sets.test;
  if (name == "validation" || name == "test")
    throw Error(fmt::format("the recipe of the run has no data.{}", name),
                "name another set, or a file", Exit::invalid_recipe);
  return sets.train;
}

void expect_a_row_for_each(const at::Tensor& output, std::int64_t samples) {
  if (output.dim() > 0 && output.size(0) == samples) return;
  throw Error(fmt::format("the model's output for {} samples has the shape {}: it predicts nothing "
                          "for each of them",
                          samples, shape_words(output.sizes())),
              "predict needs an output whose first dimension counts samples; where forward returns "
              "more, model.output chooses");
}

at::Tensor outputs(const recipe::Recipe& recipe, model::Model& model, const data::Set& set) {
  const c10::NoGradGuard no_gradients;
  model.train(false);
  const auto size = static_cast<std::uint64_t>(recipe.evaluate.batch.value());
  const plan::Windows windows(set.size(), size, false);
  const plan::EpochOrder order(set.size(), static_cast<std::uint64_t>(recipe.seed), false);
  Feed feed(set, inputs_of(recipe, model, set.fields()), windows, order, 0,
            windows.steps_per_epoch(), {recipe.data.workers, recipe.data.prefetch});
  std::vector<at::Tensor> parts;
  for (std::uint64_t i = 0; i < windows.steps_per_epoch(); ++i) {
    MicroBatch part = feed.part(0, feed.next().window.size);
    const Autocast in(recipe.precision);
    const c10::IValue returned = model.forward(std::move(part.inputs));
    const at::Tensor output = Output(returned, recipe.model.output).tensor();
    expect_a_row_for_each(output, part.samples.count);
    parts.push_back(device().is_cpu() ? output.clone() : output.cpu());
  }
  return at::cat(parts);
}

bool is_of_classes(const recipe::Loss& loss) {
  return std::holds_alternative<recipe::CrossEntropy>(loss) ||
         std::holds_alternative<recipe::Nll>(loss);
}

}  // namespace

Exit predict_run(const Call& call) {
  expect_known_format(call.out);
  const BestOfRun best = best_of_run(call);
  const recipe::Recipe& recipe = best.understood.recipe;
  const BuiltModel built = build_model(recipe.model);
  restore_evaluated_weights(*built.model, best.found.snapshot);
  move_to_device(*built.model);
  const recipe::Data data =
      names_a_set(call.set) ? recipe.data : data_at(recipe, *built.model, call.set);
  const data::Sets sets = data::read_sets(data, static_cast<std::uint64_t>(recipe.seed));
  const data::Set& set = set_named(sets, call.set);
  Predictions predictions{outputs(recipe, *built.model, set), std::nullopt};
  if (is_of_classes(recipe.loss) && predictions.output.dim() == 2)
    predictions.classes = predictions.output.argmax(1);
  files::PosixFiles disk;
  write_predictions(predictions, disk, call.out);
  fmt::print(stderr, "wrote {}: {} samples, by the weights of step {}\n", call.out, set.size(),
             best.found.manifest.step);
  return Exit::done;
}

}  // namespace knead::engine
