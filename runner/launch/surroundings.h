#pragma once

#include <optional>
#include <string>

#include "schema/merge/environment.h"

namespace knead::launch {

/// Describes this process as one of the ranks that another launcher started. The numbers are those
/// of the environment, unchecked: `rank` counts from 0 and should be less than `ranks`.
struct Place {
  std::string launcher;  // "torchrun", "Slurm", "MPI"
  int rank = 0;
  int ranks = 1;
};

/// Reads the rank and the number of ranks that torchrun, srun or mpirun (Open MPI, or one that
/// speaks PMI, such as MPICH) set in the environment. If several launchers did, torchrun comes
/// before MPI and MPI before Slurm. Returns std::nullopt if none of them started this process;
/// variables that are not whole numbers count as missing. Pure apart from the calls of
/// `environment`.
std::optional<Place> find_place(const schema::Environment& environment);

}  // namespace knead::launch
