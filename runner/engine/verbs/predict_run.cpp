#include <ATen/ops/cat.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/batch/model_inputs.h"
#include "runner/engine/batch/model_output.h"
#include "runner/engine/device/autocast.h"
#include "runner/engine/device/device.h"
#include "runner/engine/job/build_model.h"
#include "runner/engine/job/feed_fields.h"
#include "runner/engine/job/job.h"
#include "runner/engine/job/model_place.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/tensor/tensor_words.h"
#include "runner/engine/train/snapshot.h"
#include "runner/engine/verbs/best_of_run.h"
#include "runner/engine/verbs/prediction_set.h"
#include "runner/engine/verbs/predictions.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/posix_files.h"

namespace knead::engine {
namespace {

/// Returns whether --data names a set of the recipe and not a file.
bool names_a_set(const std::string& data) {
  return data == "train" || data == "validation" || data == "test";
}

/// Reads a set of the recipe. Throws knead::Error if the recipe does not have it.
data::Set set_named(const recipe::Recipe& recipe, const std::string& name) {
  data::Sets sets = data::read_sets(recipe.data, static_cast<std::uint64_t>(recipe.seed),
                                    data::Augmentation::left_out);
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

/// Returns the outputs of the model for all samples of a set, in their order, in host memory.
at::Tensor outputs(const recipe::Recipe& recipe, model::Model& model, const data::Set& set) {
  const c10::NoGradGuard no_gradients;
  model.train(false);
  const auto size = static_cast<std::uint64_t>(recipe.evaluate.batch.value());
  const plan::Windows windows(set.size(), size, false);
  const plan::EpochOrder order(set.size(), static_cast<std::uint64_t>(recipe.seed), false);
  Feed feed(set, choose_fields(recipe, model, set.fields()), windows, order, 0,
            windows.steps_per_epoch(), {recipe.data.workers, recipe.data.prefetch});
  std::vector<at::Tensor> parts;
  for (std::uint64_t i = 0; i < windows.steps_per_epoch(); ++i) {
    MicroBatch part = feed.part(0, feed.next().window.size);
    const Autocast in(recipe.precision);
    const c10::IValue returned = model.forward(std::move(part.inputs));
    const at::Tensor output = Output(returned, recipe.model.output).tensor();
    expect_a_row_for_each(output, part.samples.count);
    // A copy, because an output may be a view of the inputs, which the next batch overwrites.
    parts.push_back(device().is_cpu() ? output.clone() : output.cpu());
  }
  return at::cat(parts);
}

/// Returns whether the output has a score per class.
bool is_of_classes(const recipe::Loss& loss) {
  return std::holds_alternative<recipe::CrossEntropy>(loss) ||
         std::holds_alternative<recipe::Nll>(loss);
}

}  // namespace

Exit predict_run(const Call& call) {
  expect_known_format(call.out);  // first, because the predictions may take long
  BestOfRun best = best_of_run(call);
  recipe::Recipe& recipe = best.understood.recipe;
  const BuiltModel built = build_model(recipe.model);
  restore_evaluated_weights(*built.model, best.found.snapshot);
  move_to_device(*built.model);
  const data::Set set = names_a_set(call.set) ? set_named(recipe, call.set)
                                              : prediction_set(recipe, *built.model, call.set);
  choose_threads(recipe, *built.model, set, choose_fields(recipe, *built.model, set.fields()));
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
