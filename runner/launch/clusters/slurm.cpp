#include "runner/launch/clusters/slurm.h"

#include <cmath>

#include <fmt/format.h>

#include "runner/launch/clusters/sbatch.h"

namespace knead::launch {
namespace {

/// How much longer than train.time_limit the job may take, in seconds: ranks start, and save after
/// Slurm's signal. Slurm may send it a minute early.
constexpr double kSecondsAround = 600;
static_assert(kSecondsAround > kSecondsToSave + 60);

constexpr std::string_view kHead = R"(#!/usr/bin/env bash
# Trains {} on Slurm.
#
# 'knead run --emit slurm' wrote this. Submit it with sbatch, in the folder that the paths of the run
# begin in. The program is looked for on the PATH; KNEAD=/path/to/knead names another.
#
# Options of sbatch replace those below: --nodes=4 trains on four nodes. Ranks share each batch, so
# more of them change how fast a run is, and not what it computes. Ahead of the time limit the ranks
# save a checkpoint and stop; the job is then queued again and goes on from there.
)";

constexpr std::string_view kPlace = R"(set -u

# The address by which Slurm reaches the first node. Ports are below those that the system gives to
# programs by itself, and differ between the jobs of a node.
first_node=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
MASTER_ADDR=$(scontrol show node "$first_node" | sed -n 's/.*NodeAddr=\([^ ]*\).*/\1/p')
MASTER_ADDR=${MASTER_ADDR:-$first_node}
MASTER_PORT=$((15000 + SLURM_JOB_ID % 15000))
# A rank joins the others by this secret, which is new each time.
KNEAD_TOKEN=$(od -A n -t x1 -N 16 /dev/urandom | tr -d ' \n')
export MASTER_ADDR MASTER_PORT KNEAD_TOKEN

)";

constexpr std::string_view kTrain =
    R"(# A rank that ends must not end the others: rank 0 may still be saving.
{0}
code=$?
)";

constexpr std::string_view kTrainAgain =
    R"(# distributed.restarts: after a lost rank, all begin again from the last checkpoint. A rank that ends
# must not end the others: rank 0 may still be saving.
for _ in {{0..{1}}}; do
  {0}
  code=$?
  ((code == 6 || code > 130)) || break
done
)";

/// Returns a time as Slurm writes it, rounded up to a whole minute: "04:10:00", "2-00:00:00".
std::string slurm_time(double seconds) {
  const auto minutes = static_cast<std::int64_t>(std::ceil(seconds / 60));
  const std::int64_t days = minutes / (24 * 60);
  return fmt::format("{}{:02}:{:02}:00", days > 0 ? fmt::format("{}-", days) : "",
                     minutes / 60 % 24, minutes % 60);
}

/// Returns the lines that sbatch reads. The name of a run has no character that needs quotes.
std::string directives(const ClusterJob& job) {
  std::string out = sbatch_line("job-name=" + job.name) + sbatch_line("nodes=1") +
                    sbatch_line(fmt::format("ntasks-per-node={}", job.ranks));
  if (job.threads) out += sbatch_line(fmt::format("cpus-per-task={}", *job.threads));
  if (job.is_cuda) out += sbatch_line(fmt::format("gpus-per-node={}", job.ranks));
  if (job.time_limit) {
    out += "# train.time_limit, and 10 minutes to start and to save.\n" +
           sbatch_line("time=" + slurm_time(*job.time_limit + kSecondsAround));
  }
  return out + common_sbatch_lines("%x-%j.log");
}

}  // namespace

std::string slurm_script(const ClusterJob& job) {
  const std::string_view train = job.restarts > 0 ? kTrainAgain : kTrain;
  const std::string step = srun_command("run", "", job.words, job.threads.has_value());
  return fmt::format(kHead, job.name) + directives(job) + std::string(kPlace) +
         fmt::format(fmt::runtime(train), step, job.restarts) + "\n" +
         requeue_after_stop("job", "$SLURM_JOB_ID");
}

}  // namespace knead::launch
