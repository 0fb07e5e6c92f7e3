#include "runner/sweep/output/matrix.h"

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::sweep {
namespace {

constexpr std::int64_t kMostShards = 256;

}  // namespace

std::string matrix_text(std::int64_t shards) {
  if (shards < 1 || shards > kMostShards) {
    throw Error(
        fmt::format("--matrix needs a number of shards from 1 to {}, not {}", kMostShards, shards),
        fmt::format("a GitHub workflow runs at most {} jobs of a matrix; a shard runs as "
                    "many trials as it has to",
                    kMostShards),
        Exit::invalid_recipe);
  }
  std::string jobs;
  for (std::int64_t shard = 1; shard <= shards; ++shard)
    jobs += fmt::format("{}{{\"shard\":\"{}/{}\"}}", shard == 1 ? "" : ",", shard, shards);
  return fmt::format("{{\"include\":[{}]}}\n", jobs);
}

}  // namespace knead::sweep
