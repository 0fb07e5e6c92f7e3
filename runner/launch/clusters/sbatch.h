#pragma once

#include <string>
#include <vector>

namespace knead::launch {

/// Returns an option as a line that sbatch reads: "#SBATCH --nodes=1".
std::string sbatch_line(const std::string& option);

/// Returns the options that all batch scripts of knead have: the signal to stop ahead of the time
/// limit goes to the programs that srun has started, and the log of a job that is queued again goes
/// on.
std::string common_sbatch_lines(const std::string& log);

/// Returns the command with which srun starts knead in each task: VERB, the options, which the
/// shell expands, and the words, which it does not. `has_processors`: the job asks for
/// --cpus-per-task, which srun does not take over.
std::string srun_command(const std::string& verb, const std::string& options,
                         const std::vector<std::string>& words, bool has_processors);

/// Returns the last lines of a script: after the exit code of a resumable stop, in `code`, the job
/// or task `what`, which `target` names for the shell, is queued again, at most 100 times. A stop
/// at each start, before a step is trained, ends that way. `code` is the exit code of the script.
std::string requeue_after_stop(const std::string& what, const std::string& target);

}  // namespace knead::launch
