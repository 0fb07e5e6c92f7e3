#include "runner/launch/clusters/slurm_array.h"

#include <fmt/format.h>

#include "runner/launch/clusters/sbatch.h"

namespace knead::launch {
namespace {

constexpr std::string_view kArrayHead = R"(#!/usr/bin/env bash
# Runs the sweep {} on Slurm.
#
# 'knead sweep --emit slurm' wrote this. Submit it with sbatch, in the folder that the paths of the
# sweep begin in. The program is looked for on the PATH; KNEAD=/path/to/knead names another.
#
# Each task of the array is a shard: trials that no other task has, one after another. Options of
# sbatch replace those below: --array=1-100%20 makes it 100 tasks, of which 20 run at once, and
# --time=2:00:00 limits each of them. Ahead of the limit a task saves its trial and stops; it is then
# queued again and goes on from there, as does one that Slurm takes off its node.
#
# Once all tasks have ended, 'knead sweep' without --shard finds their trials done and writes the
# outcome of the whole sweep. Trials that are done are not run again, whatever is submitted.
)";

constexpr std::string_view kArrayTask = R"(set -u

# The shards are those of the whole sweep only if they are numbered without a gap.
if ((SLURM_ARRAY_TASK_MIN != 1 || SLURM_ARRAY_TASK_COUNT != SLURM_ARRAY_TASK_MAX)); then
  echo 'the tasks have to be 1 to N: submit the whole array again, trials that are done do not run' >&2
  exit 2
fi
{}
code=$?

# SLURM_JOB_ID would name the whole array in one of its tasks.
)";

/// Returns the lines that sbatch reads. The name of a sweep has no character that needs quotes.
std::string array_directives(const ClusterSweep& sweep) {
  std::string out =
      sbatch_line("job-name=" + sweep.name) +
      sbatch_line(fmt::format("array=1-{}%{}", sweep.shards(), sweep.shards_at_once())) +
      sbatch_line("nodes=1") + sbatch_line("ntasks=1");
  if (const auto processors = sweep.processors())
    out += sbatch_line(fmt::format("cpus-per-task={}", *processors));
  if (sweep.is_cuda) out += sbatch_line(fmt::format("gpus-per-node={}", sweep.ranks));
  return out + common_sbatch_lines("%x-%A_%a.log");
}

}  // namespace

std::string slurm_array_script(const ClusterSweep& sweep) {
  const std::string step =
      srun_command("sweep", " --jobs 1 --shard \"$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX\"",
                   sweep.words, sweep.processors().has_value());
  return fmt::format(kArrayHead, sweep.name) + array_directives(sweep) +
         fmt::format(kArrayTask, step) +
         requeue_after_stop("task", "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID");
}

}  // namespace knead::launch
