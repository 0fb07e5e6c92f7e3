#pragma once

#include <string>

#include "runner/launch/clusters/cluster_job.h"

namespace knead::launch {

/// Returns the batch script that trains a run on Slurm, for sbatch. It starts a rank per task with
/// srun, on as many nodes as sbatch is asked for, gives the ranks the address of the first node, a
/// port and a token of this start, has them stopped ahead of the time limit, and is queued again,
/// at most 100 times, if the run ends with the exit code of a resumable stop. Any other exit code
/// is that of the job. Pure: does no I/O.
std::string slurm_script(const ClusterJob& job);

}  // namespace knead::launch
