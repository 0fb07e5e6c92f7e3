#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/data/sets/selection.h"
#include "runner/data/source/paths.h"
#include "runner/engine/device/device.h"
#include "runner/engine/job/build_model.h"
#include "runner/engine/job/divide.h"
#include "runner/engine/job/feed_fields.h"
#include "runner/engine/job/job.h"
#include "runner/engine/job/model_place.h"
#include "runner/engine/job/start_files.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/predictions/shown.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/verbs/best_of_run.h"
#include "runner/engine/verbs/other_rank.h"
#include "runner/engine/verbs/outputs.h"
#include "runner/engine/verbs/prediction_set.h"
#include "runner/engine/verbs/predictions.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/posix_files.h"
#include "runner/track/tracker.h"
#include "schema/document/regular_file.h"
#include "schema/document/standard_streams.h"

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

using Paths = std::vector<std::filesystem::path>;

void add(Paths& all, const std::filesystem::path& path) { all.push_back(path); }

/// Adds the files that paths and patterns name, as far as they are there.
void add(Paths& all, const Paths& paths) {
  all.insert(all.end(), paths.begin(), paths.end());
  try {
    const Paths files = data::named_files(paths);
    all.insert(all.end(), files.begin(), files.end());
  } catch (const Error&) {
    // A pattern without a match names nothing that could be replaced.
  }
}

/// Adds what the recipe says of where a set lies.
void add_paths(Paths& all, const recipe::DataSet& named) {
  std::visit(
      [&](const auto& set) {
        if constexpr (requires { set.path.value(); }) {
          if (set.path) add(all, *set.path);
        } else if constexpr (requires { add(all, set.path); }) {
          add(all, set.path);
        } else if constexpr (requires { set.of; }) {
          for (const recipe::MixMember& member : set.of) add_paths(all, data::set_of(member));
        } else if constexpr (requires { set.fields.front().second.path.value(); }) {
          for (const auto& [name, field] : set.fields)
            if (field.path) add(all, *field.path);
        }
      },
      named);
}

/// Throws knead::Error if predictions would replace what the run has written of itself.
void expect_no_part_of_run(const std::filesystem::path& out, const std::filesystem::path& run) {
  std::error_code absent;
  const auto file = std::filesystem::weakly_canonical(out, absent);
  const auto inside = file.lexically_relative(std::filesystem::weakly_canonical(run, absent));
  if (inside.empty() || *inside.begin() == "..") return;
  const bool is_kept = *inside.begin() == checkpoint::checkpoints_folder("") ||
                       inside == track::kMetricsFile || inside == track::kEvaluationsFile ||
                       inside == track::kGeneratedFile;
  if (!is_kept || !schema::is_there(file)) return;
  throw Error(fmt::format("predictions would replace {}, which is part of the run", out.string()),
              "give --out another name", Exit::invalid_recipe);
}

/// Throws knead::Error if predictions would replace a file of data or the initial weights.
void expect_no_data(const std::string& out, const std::string& data, const recipe::Recipe& recipe) {
  const recipe::Data& sets = recipe.data;
  Paths read{data};
  add_paths(read, sets.train);
  if (sets.validation) add_paths(read, *sets.validation);
  if (sets.test) add_paths(read, *sets.test);
  if (recipe.model.weights && recipe.model.weights->from) add(read, *recipe.model.weights->from);
  for (const auto& file : read) {
    std::error_code absent;
    if (!std::filesystem::equivalent(out, file, absent)) continue;
    throw Error(fmt::format("predictions would replace {}, which is data", file.string()),
                "give --out another name", Exit::invalid_recipe);
  }
}

/// Returns whether the output has a score per class.
bool is_of_classes(const recipe::Loss& loss) {
  return std::holds_alternative<recipe::CrossEntropy>(loss) ||
         std::holds_alternative<recipe::Nll>(loss);
}

}  // namespace

Exit predict_run(const Call& call) {
  expect_known_format(call.out);  // first, because the predictions may take long
  Understood understood = recipe_of_run(call);
  recipe::Recipe& recipe = understood.recipe;
  expect_no_data(call.out, call.set, recipe);
  expect_no_part_of_run(call.out, call.file);
  const auto group = join(call, recipe);
  expect_equal_recipes(understood.tree, *group);
  auto start_files = files_of_start(recipe, group->ranks());
  BuiltModel built;
  make_in(start_files.get(), [&] { built = build_model(recipe.model); });
  move_to_device(*built.model);
  const auto shards = divide_to_evaluate(*built.model, recipe, *group);
  end_start(start_files, shards != nullptr);
  const std::uint64_t step =
      restore_best_of_run({*built.model, shards.get(), *group}, call.file, recipe.evaluate);
  const data::Set set = names_a_set(call.set)
                            ? set_named(recipe, call.set)
                            : prediction_set(recipe, *built.model, call.set, call.file);
  choose_threads(recipe, *built.model, set, choose_fields(recipe, *built.model, set.fields()));
  Predictions predictions{
      outputs({recipe, *built.model, set, *group, shards.get()}), std::nullopt, {}};
  if (!group->is_first()) return Exit::done;
  if (is_of_classes(recipe.loss) && predictions.output.dim() == 2) {
    predictions.classes = predictions.output.argmax(1);
    predictions.class_names = class_names(recipe);
    // Scores may be of more classes than have names.
    if (std::ssize(predictions.class_names) != predictions.output.size(1))
      predictions.class_names.clear();
  }
  files::PosixFiles disk(files::Access::umask);
  write_predictions(predictions, disk, call.out);
  tell(
      fmt::format("wrote {}: {} samples, by the weights of step {}\n", call.out, set.size(), step));
  return Exit::done;
}

}  // namespace knead::engine
