#include "runner/front/engine.h"
#include "runner/front/verb.h"

namespace knead::front {

Exit bench(const Arguments& arguments) {
  // Signals are held before the recipe is read, so that none is lost until the engine runs.
  const launch::HeldSignals signals;
  std::vector<std::string> options;
  if (arguments.has("format")) options.push_back("--format=" + arguments.options.at("format"));
  const auto rank = launched_rank();
  // Other ranks have the recipe of rank 0, or are refused: its warnings are said once.
  return run_engine_on_ranks(
      call_of_engine("bench", arguments, options, /*warns=*/!rank || rank->rank == 0), signals);
}

}  // namespace knead::front
