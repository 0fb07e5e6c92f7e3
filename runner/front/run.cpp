#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <sys/stat.h>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/front/emit.h"
#include "runner/front/engine.h"
#include "runner/front/verb.h"
#include "runner/launch/rank_environment.h"
#include "runner/launch/ranks.h"
#include "runner/launch/visible_gpus.h"
#include "runner/plan/resolve.h"
#include "schema/document/count_words.h"
#include "schema/load.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;

/// Throws knead::Error if the environment of a rank does not fit together, or not to the recipe.
void check(const launch::RankEnvironment& rank, const recipe::Recipe& recipe) {
  const std::string start = launch::start_words(rank);
  if (rank.rank < 0 || rank.rank >= rank.ranks)
    throw Error(fmt::format("{}, and this one has the number {}", start, rank.rank),
                "ranks count from 0");
  if (rank.local_rank < 0 || rank.local_rank >= rank.local_ranks || rank.local_ranks > rank.ranks)
    throw Error(fmt::format("{}, {} of them on this machine, and this one has the number {} there",
                            start, rank.local_ranks, rank.local_rank),
                "LOCAL_RANK counts the LOCAL_WORLD_SIZE ranks of a machine from 0");
  if (rank.ranks > recipe.batch.size)
    throw Error(
        fmt::format("{}, and a batch has {}", start,
                    schema::count_words(static_cast<std::uint64_t>(recipe.batch.size), "sample")),
        "start fewer ranks, or set a larger batch.size", Exit::invalid_recipe);
  if (rank.rendezvous.empty())
    throw Error(fmt::format("{}, and nothing says where they meet", start),
                "set MASTER_ADDR to the machine of rank 0 as the others reach it, and MASTER_PORT "
                "to a free port of it, for all ranks");
}

/// Becomes the engine of a rank that another launcher has started.
[[noreturn]] void run_as(const launch::RankEnvironment& rank, const EngineCall& call,
                         const launch::HeldSignals& signals) {
  check(rank, call.recipe);
  std::vector<std::string> words = launch::arguments_of_rank(call.words, rank);
  // The first start has moved an old run aside already.
  const auto options_end = std::find(words.begin(), words.end(), "--");
  if (rank.restarts > 0)
    words.erase(std::remove(words.begin(), options_end, "--fresh"), options_end);
  become_engine(words, signals);
}

/// Identifies a folder beyond its name; empty if there is none.
std::optional<std::pair<dev_t, ino_t>> identity(const fs::path& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

/// Returns the arguments of a restart. A run that --fresh has begun goes on from its own
/// checkpoints: the option stays only while the checkpoints of the old run, which it moves aside,
/// are still there.
std::function<std::vector<std::string>()> words_of_restart(const EngineCall& call,
                                                           const plan::Machine& machine) {
  recipe::Recipe recipe = call.recipe;
  plan::resolve(recipe, machine);
  const fs::path checkpoints = checkpoint::checkpoints_folder(*recipe.output / recipe.name);
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
  const auto rank = launch::find_rank_environment(schema::this_world().environment);
  // Other ranks have the recipe of rank 0, or are refused: its warnings are said once.
  const EngineCall call =
      call_of_engine("run", arguments, options, /*warns=*/!rank || rank->rank == 0);
  if (rank && rank->ranks > 1) run_as(*rank, call, signals);
  const plan::Machine machine{.home = fs::current_path(),
                              .gpus = launch::visible_gpus(schema::this_world().environment)};
  plan::expect_gpus_for_ranks(call.recipe, machine);
  const launch::Team team{.ranks = static_cast<int>(plan::number_of_ranks(call.recipe, machine)),
                          .restarts = static_cast<int>(
                              std::min<std::int64_t>(call.recipe.distributed.restarts, 1 << 30)),
                          .arguments_again = words_of_restart(call, machine)};
  return run_engine(call.words, signals, team);
}

}  // namespace knead::front
