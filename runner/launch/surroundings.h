#pragma once

#include <optional>
#include <string>

#include "schema/merge/environment.h"

namespace knead::launch {

/// Describes this process as one of the ranks that another launcher started.
struct Place {
  std::string launcher;  // "torchrun", "Slurm", "MPI"
  int rank = 0;
  int ranks = 1;
};

/// Reads the rank and the number of ranks that torchrun, srun or mpirun set in the environment.
/// Returns std::nullopt if none of them started this process.
std::optional<Place> find_place(const schema::Environment& environment);

}  // namespace knead::launch
