#pragma once

#include <string>

#include "runner/launch/clusters/cluster_job.h"

namespace knead::launch {

/// Returns the batch script that runs a sweep on Slurm, for sbatch: an array of which each task is
/// `knead sweep --shard`, one trial after another. How many shards there are is read from the size
/// of the array, so that `sbatch --array=1-N%M` changes it. A task is stopped ahead of its time
/// limit; one that ends with the exit code of a resumable stop is queued again, at most 100 times,
/// and so is one that Slurm takes off its node. Any other exit code is that of the task. Pure: does
/// no I/O.
std::string slurm_array_script(const ClusterSweep& sweep);

}  // namespace knead::launch
