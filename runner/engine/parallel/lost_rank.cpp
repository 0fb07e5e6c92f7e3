#include "runner/engine/parallel/lost_rank.h"

#include <fmt/format.h>

namespace knead::engine::parallel {

Error waited_too_long(int rank, double timeout) {
  return Error(fmt::format("rank {} has waited {:g} s for the other ranks", rank, timeout),
               "one of them hangs or is much slower; distributed.timeout sets how long ranks "
               "wait for each other",
               Exit::rank_lost);
}

Error lost_connection(int rank) {
  return Error(fmt::format("rank {} has lost the connection to another rank", rank),
               "the rank that ended first says why; a run goes on from its last checkpoint",
               Exit::lost_another);
}

}  // namespace knead::engine::parallel
