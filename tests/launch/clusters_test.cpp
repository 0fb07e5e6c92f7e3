#include <array>
#include <cstdio>
#include <string>

#include <catch2/catch.hpp>

#include "runner/launch/clusters/kubernetes.h"
#include "runner/launch/clusters/kubernetes_sweep.h"
#include "runner/launch/clusters/shell_word.h"
#include "runner/launch/clusters/slurm.h"
#include "runner/launch/clusters/slurm_array.h"
#include "schema/document/error.h"

using namespace knead::launch;

namespace {

/// Returns what a shell makes of a word.
std::string read_by_shell(const std::string& word) {
  FILE* const shell = popen(("printf %s " + word).c_str(), "r");
  REQUIRE(shell);
  std::string out;
  std::array<char, 256> part;
  while (const std::size_t size = fread(part.data(), 1, part.size(), shell))
    out.append(part.data(), size);
  REQUIRE(pclose(shell) == 0);
  return out;
}

/// Returns the rest of the first line that begins so, blanks aside; "(none)" if there is no such
/// line.
std::string after(const std::string& beginning, const std::string& text) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::size_t first = text.find_first_not_of(' ', at);
    if (text.compare(first, beginning.size(), beginning) == 0)
      return text.substr(first + beginning.size(),
                         text.find('\n', first) - first - beginning.size());
  }
  return "(none)";
}

std::string time_of(std::optional<double> limit) {
  return after("#SBATCH --time=", slurm_script({.name = "a", .time_limit = limit}));
}

std::string name_on_kubernetes(const std::string& run) {
  return after("name: ", kubernetes_manifest({.name = run}));
}

}  // namespace

TEST_CASE("a shell reads a word back as it was") {
  for (const char* word :
       {"",      "a.yaml", "-x",  "~",  "it's",  "a b",      "$HOME",     "`id`",
        "$(id)", "a\nb",   "\n",  "\\", "\\n",   "\"",       "''",        "!!",
        "{a,b}", "*",      "a;b", "#",  "é\xff", "x=[1, 2]", "a&b|c>d<e", "\t"}) {
    INFO(word);
    CHECK(read_by_shell(shell_word(word)) == word);
  }
  CHECK(shell_word("batch.micro=8") == "batch.micro=8");
  CHECK(shell_word("runs/a-b_c.yaml") == "runs/a-b_c.yaml");
}

TEST_CASE("the time of a job has whole minutes, 10 more than the run") {
  CHECK(time_of(std::nullopt) == "(none)");
  CHECK(time_of(0.5) == "00:11:00");
  CHECK(time_of(60) == "00:11:00");
  CHECK(time_of(61) == "00:12:00");
  CHECK(time_of(4 * 3600) == "04:10:00");
  CHECK(time_of(24 * 3600 - 600) == "1-00:00:00");
  CHECK(time_of(100 * 24 * 3600.0) == "100-00:10:00");
}

TEST_CASE("the name of a run becomes one that pods can have") {
  CHECK(name_on_kubernetes("digits") == "knead-digits");
  CHECK(name_on_kubernetes("0") == "knead-0");
  CHECK(name_on_kubernetes("Big_Model.v2-") == "knead-big-model-v2");
  CHECK(name_on_kubernetes(std::string(64, 'a')) == "knead-" + std::string(48, 'a'));
  CHECK(name_on_kubernetes(std::string(47, 'a') + "-b") == "knead-" + std::string(47, 'a'));
}

TEST_CASE("Kubernetes replaces nothing in a word") {
  const auto written = [](const std::string& word) {
    const std::string manifest = kubernetes_manifest({.name = "a", .words = {word}});
    return after("- ", manifest.substr(manifest.find("- \"--\"") + 6));
  };
  CHECK(written("a.yaml") == "a.yaml");
  CHECK(written("$(RANK) ${A} $$") == "\"$$(RANK) $${A} $$$$\"");
  CHECK(written("null") == "\"null\"");
  CHECK(written("a\nb") == "\"a\\nb\"");
  CHECK_THROWS_WITH(written("\xff.yaml"), "a manifest cannot hold '\xff.yaml', which is not UTF-8");
}

TEST_CASE("Kubernetes gives pods the variables of the recipe, each once, from a Secret") {
  const std::string manifest = kubernetes_manifest(
      {.name = "a", .variables = {{"API_KEY"}, {"DATA", true}, {"RANK"}, {"KNEAD_TOKEN"}}});
  const std::string head = manifest.substr(0, manifest.find("apiVersion"));
  CHECK(
      head.substr(head.find("# A Secret")) ==
      R"yaml(# A Secret holds what the recipe reads from the environment. The command takes the values from the
# shell that you call it in.
#
#   kubectl create secret generic knead-a --from-literal=KNEAD_TOKEN="$(openssl rand -hex 16)" --from-literal=API_KEY="$API_KEY"
#   envsubst '$KNEAD_IMAGE $KNEAD_VOLUME' <knead-a.yaml | kubectl apply -f -
)yaml");
  const std::size_t begin = manifest.find("            - name: KNEAD_TOKEN");
  CHECK(manifest.substr(begin, manifest.find("          volumeMounts:") - begin) ==
        R"(            - name: KNEAD_TOKEN
              valueFrom:
                secretKeyRef:
                  name: knead-a
                  key: KNEAD_TOKEN
            - name: API_KEY
              valueFrom:
                secretKeyRef:
                  name: knead-a
                  key: API_KEY
            - name: DATA
              valueFrom:
                secretKeyRef:
                  name: knead-a
                  key: DATA
                  # Without it the default of the recipe applies.
                  optional: true
)");
  CHECK(manifest.find("- name: RANK\n") == manifest.rfind("- name: RANK\n"));
}

TEST_CASE("a sweep on Kubernetes has a Secret only if its recipe reads a variable") {
  const auto manifest = [](std::vector<ClusterVariable> variables) {
    return kubernetes_sweep_manifest({.name = "a", .variables = std::move(variables)});
  };
  CHECK(after("env:", manifest({})) == "(none)");
  CHECK(after("env:", manifest({{"JOB_COMPLETION_INDEX"}})) == "(none)");
  CHECK(after("#   kubectl", manifest({{"DATA", true}})) == "(none)");
  CHECK(after("#   kubectl", manifest({{"A"}, {"B"}})) ==
        " create secret generic knead-a --from-literal=A=\"$A\" --from-literal=B=\"$B\"");
  CHECK(after("env:", manifest({{"A"}})) == "");
  CHECK(after("key: ", manifest({{"A"}})) == "A");
  CHECK(after("optional: ", manifest({{"A", true}})) == "true");
}

TEST_CASE("a cluster gets a shard for each trial, at most 64, of which 8 run at once") {
  const auto array = [](std::int64_t trials) {
    return after("#SBATCH --array=", slurm_array_script({.name = "a", .trials = trials}));
  };
  CHECK(array(1) == "1-1%1");
  CHECK(array(7) == "1-7%7");
  CHECK(array(24) == "1-24%8");
  CHECK(array(10'000) == "1-64%8");
  const std::string manifest = kubernetes_sweep_manifest({.name = "a", .trials = 24});
  CHECK(after("completions: ", manifest) == "24");
  CHECK(after("parallelism: ", manifest) == "8");
}

TEST_CASE("a task of a sweep gets what one trial needs") {
  const auto script = [](std::int64_t ranks, std::optional<std::int64_t> threads, bool is_cuda) {
    return slurm_array_script(
        {.name = "a", .ranks = ranks, .threads = threads, .is_cuda = is_cuda});
  };
  CHECK(after("#SBATCH --cpus-per-task=", script(1, std::nullopt, false)) == "(none)");
  CHECK(after("#SBATCH --cpus-per-task=", script(1, 4, false)) == "4");
  CHECK(after("#SBATCH --cpus-per-task=", script(2, std::nullopt, false)) == "2");
  CHECK(after("#SBATCH --cpus-per-task=", script(2, 4, false)) == "8");
  CHECK(after("#SBATCH --gpus-per-node=", script(2, 4, false)) == "(none)");
  CHECK(after("#SBATCH --gpus-per-node=", script(2, 4, true)) == "2");
  const std::string manifest =
      kubernetes_sweep_manifest({.name = "a", .ranks = 2, .threads = 4, .is_cuda = true});
  CHECK(after("cpu: ", manifest) == "\"8\"");
  CHECK(after("nvidia.com/gpu: ", manifest) == "\"2\"");
}

TEST_CASE("a task of a sweep on Slurm is a shard of the array") {
  const std::string script = slurm_array_script(
      {.name = "digits", .words = {"it's.yaml", "seed=$x"}, .trials = 24, .threads = 2});
  CHECK(script.substr(script.find("#SBATCH")) == R"(#SBATCH --job-name=digits
#SBATCH --array=1-24%8
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --signal=USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%A_%a.log
set -u

# The shards are those of the whole sweep only if they are numbered without a gap.
if ((SLURM_ARRAY_TASK_MIN != 1 || SLURM_ARRAY_TASK_COUNT != SLURM_ARRAY_TASK_MAX)); then
  echo 'the tasks have to be 1 to N: submit the whole array again, trials that are done do not run' >&2
  exit 2
fi
srun --export=ALL --mpi=none --kill-on-bad-exit=0 --cpus-per-task="$SLURM_CPUS_PER_TASK" \
    "${KNEAD:-knead}" sweep --jobs 1 --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" -- 'it'\''s.yaml' 'seed=$x'
code=$?

# SLURM_JOB_ID would name the whole array in one of its tasks.
# 75: stopped by a signal or train.time_limit, with a checkpoint. The task is queued again, up to
# most_requeues times: one that is stopped at each start, before it has trained a step, must end.
# Slurm counts starts after a preemption or a lost node too.
most_requeues=100
if ((code == 75 && ${SLURM_RESTART_COUNT:-0} < most_requeues)); then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
elif ((code == 75)); then
  echo "the task has been queued again as often as most_requeues says: submit it again, and it goes on" >&2
fi
exit "$code"
)");
}

TEST_CASE("a pod of a sweep on Kubernetes is the shard behind its index") {
  const std::string manifest =
      kubernetes_sweep_manifest({.name = "digits", .words = {"a.yaml", "seed=$(x)"}, .trials = 3});
  const std::size_t begin = manifest.find("          command:");
  CHECK(manifest.substr(begin, manifest.find("          volumeMounts:") - begin) ==
        R"(          command:
            - sh
            - "-c"
            - exec knead sweep --jobs 1 --shard "$$((JOB_COMPLETION_INDEX + 1))/3" -- "$$@"
            - knead
            - a.yaml
            - seed=$$(x)
)");
}
