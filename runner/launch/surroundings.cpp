#include "runner/launch/surroundings.h"

#include <charconv>

namespace knead::launch {
namespace {

/// Names the environment variables of a launcher.
struct Names {
  const char* launcher;
  const char* rank;
  const char* ranks;
};

// torchrun is first: inside a Slurm allocation it is the launcher of this process. Slurm also sets
// SLURM_PROCID in batch scripts, before srun has started ranks; SLURM_STEP_ID must therefore be set
// too.
constexpr Names kLaunchers[] = {{"torchrun", "RANK", "WORLD_SIZE"},
                                {"MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                {"MPI", "PMI_RANK", "PMI_SIZE"},
                                {"Slurm", "SLURM_PROCID", "SLURM_NTASKS"}};

std::optional<int> number(const std::optional<std::string>& text) {
  int value = 0;
  if (!text) return std::nullopt;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == text->data() + text->size();
  return whole ? std::optional<int>(value) : std::nullopt;
}

}  // namespace

std::optional<Place> find_place(const schema::Environment& environment) {
  for (const Names& names : kLaunchers) {
    const auto rank = number(environment(names.rank));
    const auto ranks = number(environment(names.ranks));
    const bool is_slurm = std::string_view(names.launcher) == "Slurm";
    if (is_slurm && environment("SLURM_STEP_ID") == std::nullopt) continue;
    // One variable alone proves no launcher: RANK is a common name.
    if (rank && ranks) return Place{names.launcher, *rank, *ranks};
  }
  return std::nullopt;
}

}  // namespace knead::launch
