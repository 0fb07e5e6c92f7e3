#include "runner/launch/clusters/sbatch.h"

#include <fmt/format.h>

#include "runner/launch/clusters/cluster_job.h"
#include "runner/launch/clusters/shell_word.h"

namespace knead::launch {

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

}  // namespace knead::launch
