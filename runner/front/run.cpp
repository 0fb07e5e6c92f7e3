#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <sys/stat.h>

#include "runner/checkpoint/names.h"
#include "runner/front/emit.h"
#include "runner/front/engine.h"
#include "runner/front/notify.h"
#include "runner/front/verb.h"
#include "runner/plan/resolve.h"
#include "schema/load.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Identifies a folder beyond its name; empty if there is none.
std::optional<std::pair<dev_t, ino_t>> identity(const fs::path& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

fs::path run_folder(const EngineCall& call, const plan::Machine& machine) {
  recipe::Recipe recipe = call.recipe;
  plan::resolve(recipe, machine);
  return *recipe.output / recipe.name;
}

/// Returns the arguments of a restart. A run that --fresh has begun goes on from its own
/// checkpoints: the option stays only while the checkpoints of the old run, which it moves aside,
/// are still there.
std::function<std::vector<std::string>()> words_of_restart(const EngineCall& call,
                                                           const plan::Machine& machine) {
  const fs::path checkpoints = checkpoint::checkpoints_folder(run_folder(call, machine));
  const auto old = identity(checkpoints);
  return [words = call.words, checkpoints, old]() {
    std::vector<std::string> again = words;
    const auto options_end = std::find(again.begin(), again.end(), "--");
    const auto fresh = std::find(again.begin(), options_end, "--fresh");
    const bool is_begun = !old || identity(checkpoints) != old;
    if (fresh != options_end && is_begun) again.erase(fresh);
    return again;
  };
}

}  // namespace

Exit run(const Arguments& arguments) {
  if (arguments.has("emit")) return emit(arguments);
  const launch::HeldSignals signals;  // from here on, so that no stop signal is lost
  std::vector<std::string> options;
  if (arguments.has("fresh")) options.push_back("--fresh");
  const auto rank = launched_rank();
  // Other ranks have the recipe of rank 0, or are refused: its warnings are said once.
  const EngineCall call =
      call_of_engine("run", arguments, options, /*warns=*/!rank || rank->rank == 0);
  if (rank) become_engine(*rank, call, signals);
  const plan::Machine machine = machine_of_ranks();
  plan::expect_gpus_for_ranks(call.recipe, machine);
  const launch::Team team{.ranks = static_cast<int>(plan::number_of_ranks(call.recipe, machine)),
                          .restarts = static_cast<int>(
                              std::min<std::int64_t>(call.recipe.distributed.restarts, 1 << 30)),
                          .arguments_again = words_of_restart(call, machine)};
  const Exit end = run_engine(call.words, signals, team);
  notify(call.recipe, run::ending_of_run(run_folder(call, machine), end));
  return end;
}

}  // namespace knead::front
