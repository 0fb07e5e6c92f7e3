#include "runner/launch/clusters/sbatch.h"

#include <fmt/format.h>

#include "runner/launch/clusters/cluster_job.h"
#include "runner/launch/clusters/shell_word.h"

namespace knead::launch {
namespace {

constexpr int kMostRequeues = 100;

constexpr std::string_view kRequeue =
    R"(# 75: stopped by a signal or train.time_limit, with a checkpoint. The {0} is queued again, up to
# most_requeues times: one that is stopped at each start, before it has trained a step, must end.
# Slurm counts starts after a preemption or a lost node too.
most_requeues={1}
if ((code == 75 && ${{SLURM_RESTART_COUNT:-0}} < most_requeues)); then
  scontrol requeue "{2}"
elif ((code == 75)); then
  echo "the {0} has been queued again as often as most_requeues says: submit it again, and it goes on" >&2
fi
exit "$code"
)";

}  // namespace

std::string sbatch_line(const std::string& option) { return "#SBATCH --" + option + "\n"; }

std::string common_sbatch_lines(const std::string& log) {
  // Without "B:" the signal goes to the ranks, and not to the script.
  return sbatch_line(fmt::format("signal=USR1@{}", kSecondsToSave)) + sbatch_line("requeue") +
         sbatch_line("open-mode=append") + sbatch_line("output=" + log);
}

std::string srun_command(const std::string& verb, const std::string& options,
                         const std::vector<std::string>& words, bool has_processors) {
  // --mpi=none keeps knead from calling the ranks those of MPI.
  std::string out = "srun --export=ALL --mpi=none --kill-on-bad-exit=0 ";
  if (has_processors) out += "--cpus-per-task=\"$SLURM_CPUS_PER_TASK\" ";
  out += "\\\n    \"${KNEAD:-knead}\" " + verb + options + " --";
  for (const std::string& word : words) out += " " + shell_word(word);
  return out;
}

std::string requeue_after_stop(const std::string& what, const std::string& target) {
  return fmt::format(kRequeue, what, kMostRequeues, target);
}

}  // namespace knead::launch
