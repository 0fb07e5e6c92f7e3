#pragma once

#include <optional>
#include <string>

#include "schema/merge/environment.h"

namespace knead::launch {

/// This process as one rank among those that somebody else started.
struct Place {
  std::string launcher;  // "torchrun", "Slurm", "MPI"
  int rank = 0;
  int ranks = 1;
};

/// Reads the topology that torchrun, srun and mpirun put into the environment; nothing where we
/// were started by hand.
std::optional<Place> find_place(const schema::Environment& environment);

}  // namespace knead::launch
