#include "runner/launch/rank_environment.h"

#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "runner/launch/host_list.h"

namespace knead::launch {
namespace {

/// Names the environment variables of a launcher; a null one has no such variable.
struct Names {
  const char* launcher;
  const char* rank;
  const char* ranks;
  const char* local_rank;
  const char* local_ranks;
  const char* job;
};

// torchrun is first: inside a Slurm allocation it is the launcher of this process. Slurm also sets
// SLURM_PROCID in batch scripts, before srun has started ranks; SLURM_STEP_ID must therefore be set
// too.
constexpr Names kLaunchers[] = {
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"},
    {"MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"},
    {"MPI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", nullptr},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", nullptr, "SLURM_JOB_ID"}};

/// Reads variables of an environment.
struct Variables {
  const schema::Environment& environment;

  std::string text(const char* name) const {
    return name ? environment(name).value_or("") : std::string();
  }

  std::optional<int> number(const char* name) const {
    const std::string digits = text(name);
    int value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    return is_whole ? std::optional<int>(value) : std::nullopt;
  }
};

/// Returns a port that follows from the name of a job: below those that the system gives to
/// connections, and other for most other jobs.
std::string port_for(const std::string& job) {
  std::uint32_t hash = 2166136261;  // FNV-1a
  for (const char letter : job) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619;
  return std::to_string(20000 + hash % 12000);
}

/// Returns where the ranks meet; empty if nothing says it.
std::string rendezvous_of(const RankEnvironment& rank, const Variables& variables) {
  std::string host = variables.text("MASTER_ADDR");
  std::string port = variables.text("MASTER_PORT");
  // The store of torchrun listens at the port: rank 0 cannot.
  const bool has_store = variables.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
  if (host.empty() && rank.launcher == "Slurm")
    host = first_host(variables.text("SLURM_STEP_NODELIST"));
  if (host.empty() && rank.local_ranks == rank.ranks) host = "127.0.0.1";
  if (port.empty() && !rank.run.empty()) port = port_for(rank.run);
  if (host.empty() || port.empty()) return "";
  return fmt::format("{}://{}:{}", rank.launcher == "torchrun" && has_store ? "torchrun" : "tcp",
                     host, port);
}

void add_slurm(RankEnvironment& rank, const Variables& variables) {
  rank.local_ranks = tasks_on_node(variables.text("SLURM_STEP_TASKS_PER_NODE"),
                                   variables.number("SLURM_NODEID").value_or(0));
  rank.restarts = variables.number("SLURM_RESTART_COUNT").value_or(0);
  rank.run += "." + variables.text("SLURM_STEP_ID");
}

/// Returns the name of the launcher; empty where anybody can have set the variables of torchrun.
std::string launcher_of(const Names& names, const Variables& variables) {
  const bool is_unproved =
      std::string_view(names.rank) == "RANK" && variables.text(names.job).empty();
  return is_unproved ? "" : names.launcher;
}

/// Returns whether srun itself speaks PMI to the ranks that it starts: then both say the same, and
/// Slurm says more. mpirun of MPICH starts one task on each node by srun, and counts other ranks.
bool is_pmi_of_slurm(const Names& names, const Variables& variables) {
  return std::string_view(names.rank) == "PMI_RANK" &&
         variables.number("SLURM_PROCID") == variables.number(names.rank) &&
         variables.number("SLURM_STEP_NUM_TASKS") == variables.number(names.ranks);
}

}  // namespace

std::optional<RankEnvironment> find_rank_environment(const schema::Environment& environment) {
  const Variables variables{environment};
  for (const Names& names : kLaunchers) {
    const auto number = variables.number(names.rank);
    const auto ranks = variables.number(names.ranks);
    const bool is_slurm = std::string_view(names.launcher) == "Slurm";
    if (is_slurm && environment("SLURM_STEP_ID") == std::nullopt) continue;
    if (is_pmi_of_slurm(names, variables)) continue;
    // One variable alone proves no launcher: RANK is a common name.
    if (!number || !ranks) continue;
    RankEnvironment rank{
        .launcher = launcher_of(names, variables), .rank = *number, .ranks = *ranks};
    rank.local_rank = variables.number(names.local_rank).value_or(0);
    rank.local_ranks = variables.number(names.local_ranks).value_or(1);
    rank.restarts = variables.number("TORCHELASTIC_RESTART_COUNT").value_or(0);
    rank.run = variables.text(names.job);
    if (is_slurm) add_slurm(rank, variables);
    if (!rank.run.empty() && rank.restarts > 0) rank.run += fmt::format(" {}", rank.restarts);
    rank.rendezvous = rendezvous_of(rank, variables);
    return rank;
  }
  return std::nullopt;
}

std::string start_words(const RankEnvironment& rank) {
  return rank.launcher.empty()
             ? fmt::format("RANK and WORLD_SIZE say that there are {} ranks", rank.ranks)
             : fmt::format("{} started {} ranks", rank.launcher, rank.ranks);
}

}  // namespace knead::launch
