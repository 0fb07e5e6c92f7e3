#include <filesystem>

#include "runner/front/engine.h"
#include "runner/front/verb.h"
#include "runner/launch/visible_gpus.h"
#include "runner/plan/resolve.h"
#include "schema/load.h"

namespace knead::front {

Exit bench(const Arguments& arguments) {
  // Signals are held before the recipe is read, so that none is lost until the engine runs.
  const launch::HeldSignals signals;
  std::vector<std::string> options;
  if (arguments.has("format")) options.push_back("--format=" + arguments.options.at("format"));
  const auto rank = launched_rank();
  // Other ranks have the recipe of rank 0, or are refused: its warnings are said once.
  const EngineCall call =
      call_of_engine("bench", arguments, options, /*warns=*/!rank || rank->rank == 0);
  if (rank) become_engine(*rank, call, signals);
  const plan::Machine machine{.home = std::filesystem::current_path(),
                              .gpus = launch::visible_gpus(schema::this_world().environment)};
  const auto ranks = static_cast<int>(plan::number_of_ranks(call.recipe, machine));
  return run_engine(call.words, signals, {.ranks = ranks});
}

}  // namespace knead::front
