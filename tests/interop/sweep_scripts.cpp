#include <cstdlib>
#include <iostream>
#include <string>

#include "runner/launch/clusters/kubernetes_sweep.h"
#include "runner/launch/clusters/slurm_array.h"

// Prints what a cluster gets of a sweep: sweep_scripts slurm|k8s NAME TRIALS RANKS THREADS cpu|cuda
// WORD…. 0 threads: the recipe leaves them to knead.
int main(int count, char** arguments) {
  using namespace knead::launch;
  ClusterSweep sweep{.name = arguments[2],
                     .words = {arguments + 7, arguments + count},
                     .trials = std::stoll(arguments[3]),
                     .ranks = std::stoll(arguments[4]),
                     .is_cuda = std::string(arguments[6]) == "cuda"};
  if (const std::int64_t threads = std::stoll(arguments[5]); threads > 0) sweep.threads = threads;
  const bool is_slurm = std::string(arguments[1]) == "slurm";
  std::cout << (is_slurm ? slurm_array_script(sweep) : kubernetes_sweep_manifest(sweep));
}
