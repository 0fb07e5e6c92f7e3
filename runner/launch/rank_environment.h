#pragma once

#include <optional>
#include <string>

#include "schema/merge/environment.h"

namespace knead::launch {

/// Describes this process as one of the ranks that another launcher started, as its environment
/// does. The numbers are unchecked: `rank` should be less than `ranks`.
struct RankEnvironment {
  /// "torchrun", "Slurm" or "MPI"; empty if RANK and WORLD_SIZE are set, but nothing that torchrun
  /// sets besides.
  std::string launcher{};
  int rank = 0;
  int ranks = 1;
  /// Counts the ranks of this machine. Without a word of the launcher this one is alone there.
  int local_rank = 0;
  int local_ranks = 1;
  /// Counts how often the launcher has started these ranks before.
  int restarts = 0;
  /// Names the run and its start, for ranks that meet; empty if the launcher has no name for it.
  std::string run{};
  /// Says where the ranks meet: "tcp://HOST:PORT", where rank 0 can listen, or
  /// "torchrun://HOST:PORT", where torchrun keeps a store. Empty if the environment does not say.
  std::string rendezvous{};
};

/// Reads what torchrun, srun or mpirun (Open MPI, or one that speaks PMI, such as MPICH) set in the
/// environment. If several launchers did, torchrun comes before MPI and MPI before Slurm. RANK and
/// WORLD_SIZE alone, which a script or a manifest can set as well, count like those of torchrun.
/// Returns std::nullopt if nothing makes this process a rank; variables that are not whole numbers
/// count as missing. Pure apart from the calls of `environment`.
///
/// MASTER_ADDR and MASTER_PORT say where the ranks meet. Where they are missing, Slurm's first node
/// stands for the machine, 127.0.0.1 for that of ranks which are all on one, and a number made of
/// the job's for the port.
std::optional<RankEnvironment> find_rank_environment(const schema::Environment& environment);

/// Returns what started a rank, as the beginning of a message: "torchrun started 4 ranks", or, for
/// an unknown launcher, "RANK and WORLD_SIZE say that there are 4 ranks".
std::string start_words(const RankEnvironment& rank);

}  // namespace knead::launch
