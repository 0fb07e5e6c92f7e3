#include "runner/launch/rank_environment.h"

#include <map>

#include <catch2/catch.hpp>

#include "runner/launch/host_list.h"

namespace knead::launch {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<RankEnvironment> find_in(const Variables& variables) {
  return find_rank_environment([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

/// Returns what was found in words: "launcher rank/ranks local_rank/local_ranks 'run' rendezvous".
std::string found_in(const Variables& variables) {
  const auto rank = find_in(variables);
  if (!rank) return "none";
  return fmt::format("{} {}/{} {}/{} '{}' {}", rank->launcher, rank->rank, rank->ranks,
                     rank->local_rank, rank->local_ranks, rank->run, rank->rendezvous);
}

Variables with(Variables variables, const Variables& more) {
  for (const auto& [name, value] : more) variables[name] = value;
  return variables;
}

const Variables kTorchrun{{"RANK", "3"},
                          {"WORLD_SIZE", "4"},
                          {"LOCAL_RANK", "1"},
                          {"LOCAL_WORLD_SIZE", "2"},
                          {"MASTER_ADDR", "n1"},
                          {"MASTER_PORT", "29500"},
                          {"TORCHELASTIC_RUN_ID", "none"},
                          {"TORCHELASTIC_RESTART_COUNT", "0"}};
const Variables kSlurm{{"SLURM_PROCID", "4"},
                       {"SLURM_STEP_NUM_TASKS", "5"},
                       {"SLURM_LOCALID", "0"},
                       {"SLURM_NODEID", "2"},
                       {"SLURM_STEP_TASKS_PER_NODE", "2(x2),1"},
                       {"SLURM_STEP_NODELIST", "n[01-03]"},
                       {"SLURM_JOB_ID", "77"},
                       {"SLURM_STEP_ID", "0"}};
const Variables kOpenMpi{{"OMPI_COMM_WORLD_RANK", "1"},
                         {"OMPI_COMM_WORLD_SIZE", "2"},
                         {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                         {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                         {"PMIX_NAMESPACE", "3487105025"}};

TEST_CASE("Ranks of torchrun, Slurm and MPI find themselves", "[launch]") {
  CHECK(found_in({}) == "none");
  CHECK(found_in(kTorchrun) == "torchrun 3/4 1/2 'none' tcp://n1:29500");
  CHECK(found_in(with(kTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                  {"TORCHELASTIC_RESTART_COUNT", "2"}})) ==
        "torchrun 3/4 1/2 'none 2' torchrun://n1:29500");
  CHECK(found_in(
            {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "p-0"}, {"MASTER_PORT", "1"}}) ==
        " 1/2 0/1 '' tcp://p-0:1");
  CHECK(found_in(kSlurm) == "Slurm 4/5 0/1 '77.0' tcp://n01:20501");
  CHECK(found_in(with(kSlurm, {{"SLURM_RESTART_COUNT", "1"}})) ==
        "Slurm 4/5 0/1 '77.0 1' tcp://n01:24602");
  CHECK(found_in(with(kSlurm, {{"MASTER_ADDR", "10.0.0.9"}, {"MASTER_PORT", "5"}})) ==
        "Slurm 4/5 0/1 '77.0' tcp://10.0.0.9:5");
  CHECK(found_in(kOpenMpi) == "MPI 1/2 1/2 '3487105025' tcp://127.0.0.1:24270");
  CHECK(found_in({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}) == "MPI 0/2 0/1 '' ");
}

TEST_CASE("Only what torchrun alone sets proves torchrun", "[launch]") {
  CHECK(start_words(*find_in(kTorchrun)) == "torchrun started 4 ranks");
  CHECK(start_words(*find_in(kSlurm)) == "Slurm started 5 ranks");
  CHECK(start_words(*find_in(kOpenMpi)) == "MPI started 2 ranks");
  CHECK(start_words(*find_in(with(kTorchrun, {{"TORCHELASTIC_RUN_ID", ""}}))) ==
        "RANK and WORLD_SIZE say that there are 4 ranks");
}

TEST_CASE("One variable alone proves no launcher", "[launch]") {
  CHECK(found_in({{"RANK", "1"}}) == "none");
  CHECK(found_in({{"RANK", "one"}, {"WORLD_SIZE", "2"}}) == "none");
  CHECK(found_in({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}}) == "none");
}

TEST_CASE("The innermost launcher counts", "[launch]") {
  CHECK(find_in(with(kSlurm, kTorchrun))->launcher == "torchrun");
  CHECK(find_in(with(kSlurm, kOpenMpi))->launcher == "MPI");
  // srun speaks PMI itself if Slurm is set up so, and mpirun of MPICH starts its agents by srun.
  CHECK(find_in(with(kSlurm, {{"PMI_RANK", "4"}, {"PMI_SIZE", "5"}}))->launcher == "Slurm");
  CHECK(find_in(with(kSlurm, {{"PMI_RANK", "4"}, {"PMI_SIZE", "10"}}))->launcher == "MPI");
}

TEST_CASE("Ranks on several machines without an address have no rendezvous", "[launch]") {
  CHECK(find_in(with(kOpenMpi,
                     {{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "0"}}))
            ->rendezvous.empty());
}

TEST_CASE("Slurm's lists are read", "[launch]") {
  CHECK(first_host("n1") == "n1");
  CHECK(first_host("n1,n2") == "n1");
  CHECK(first_host("n[01-03,7],m2") == "n01");
  CHECK(first_host("n[7,9-12]") == "n7");
  CHECK(first_host("r[2-3]n[5-8]-ib,x") == "r2n5-ib");
  CHECK(first_host("").empty());
  CHECK(first_host("n[1").empty());
  CHECK(tasks_on_node("2(x3),1", 0) == 2);
  CHECK(tasks_on_node("2(x3),1", 2) == 2);
  CHECK(tasks_on_node("2(x3),1", 3) == 1);
  CHECK(tasks_on_node("2(x3),1", 4) == 0);
  CHECK(tasks_on_node("4", 0) == 4);
  for (const char* const text : {"", "x", "2(x", "2(x3", "2;1"}) CHECK(tasks_on_node(text, 1) == 0);
}

}  // namespace
}  // namespace knead::launch
