#include <fmt/format.h>

#include "runner/front/engine.h"
#include "runner/front/verb.h"
#include "runner/launch/rank.h"
#include "runner/launch/surroundings.h"
#include "schema/load.h"

namespace knead::front {
namespace {

/// Throws knead::Error if a launcher has started several ranks.
void refuse_other_ranks() {
  const auto place = launch::find_place(schema::this_world().environment);
  if (!place || place->ranks == 1) return;
  throw Error(fmt::format("{} started {} ranks, this is rank {}", place->launcher, place->ranks,
                          place->rank),
              "this version trains on one rank; start one");
}

}  // namespace

Exit run(const Arguments& arguments) {
  const launch::HeldSignals signals;  // from here on, so that no stop signal is lost
  std::vector<std::string> options;
  if (arguments.has("fresh")) options.push_back("--fresh");
  const std::vector<std::string> words = words_for_engine("run", arguments, options);
  // A mistake in the recipe is reported first, because it stays when the launcher is gone.
  refuse_other_ranks();
  return run_engine(words, signals);
}

}  // namespace knead::front
