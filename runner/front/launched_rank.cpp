#include "runner/front/launched_rank.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/launch/ranks.h"
#include "schema/document/count_words.h"
#include "schema/load.h"

namespace knead::front {
namespace {

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

}  // namespace

std::optional<launch::RankEnvironment> launched_rank() {
  auto rank = launch::find_rank_environment(schema::this_world().environment);
  if (rank && rank->ranks <= 1) rank.reset();
  return rank;
}

void become_launched_rank(const launch::RankEnvironment& rank, const EngineCall& call,
                          const launch::HeldSignals& signals) {
  check(rank, call.recipe);
  std::vector<std::string> words = launch::arguments_of_rank(call.words, rank);
  // The first start has moved an old run aside already.
  const auto options_end = std::find(words.begin(), words.end(), "--");
  if (rank.restarts > 0)
    words.erase(std::remove(words.begin(), options_end, "--fresh"), options_end);
  become_engine(words, signals);
}

}  // namespace knead::front
