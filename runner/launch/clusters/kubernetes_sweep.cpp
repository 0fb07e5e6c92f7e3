#include "runner/launch/clusters/kubernetes_sweep.h"

#include <fmt/format.h>

#include "runner/launch/clusters/manifest.h"

namespace knead::launch {
namespace {

constexpr std::string_view kSweepManifest =
    R"yaml(# Runs the sweep {sweep} on Kubernetes (1.33 or later).
#
# 'knead sweep --emit k8s' wrote this: an Indexed Job of which each index is a shard, trials that no
# other index has, one after another. 'kubectl patch job {name} -p '{{"spec":{{"parallelism":16}}}}''
# changes how many run at once.
#
{placeholders}#
{secret}#   envsubst '$KNEAD_IMAGE $KNEAD_VOLUME' <{name}.yaml | kubectl apply -f -
#
# Once the Job has ended, 'knead sweep' without --shard, on the same volume, finds the trials done and
# writes the outcome of the whole sweep. Trials that are done are not run again, whatever is applied.
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  completionMode: Indexed
  completions: {shards}
  parallelism: {at_once}
  # A shard whose pod is lost, by a crash or for want of memory, is begun again so many times.
  backoffLimitPerIndex: 3
  podFailurePolicy:
    rules:
{uncounted}
      # The recipe, data, an expectation or the training of a trial: another try would end the same.
      # The other shards go on.
      - action: FailIndex
        onExitCodes:
          operator: In
          values: [2, 3, 4, 5, 7]
  template:
    metadata:
      labels:
        app.kubernetes.io/name: knead
        app.kubernetes.io/instance: {name}
    spec:
      restartPolicy: Never
      # A step and a checkpoint, from SIGTERM on.
      terminationGracePeriodSeconds: {grace}
      containers:
        - name: shard
          image: "${{KNEAD_IMAGE}}"
          workingDir: /work
          command:
{command}{variables}{resources}{volume})yaml";

/// Indices count from 0 and shards from 1. The shell makes way for knead, which then gets SIGTERM.
std::string shard_of_index(std::int64_t shards) {
  return fmt::format(
      "exec knead sweep --jobs 1 --shard \"$((JOB_COMPLETION_INDEX + 1))/{}\" -- \"$@\"", shards);
}

/// Writes the variables of the recipe; empty if it has none. Kubernetes itself sets the index of a
/// shard, unless the manifest does.
std::string variables_of_shard(const std::string& secret, std::vector<ClusterVariable> variables) {
  std::erase_if(variables, [](const auto& each) { return each.name == "JOB_COMPLETION_INDEX"; });
  return variables.empty() ? "" : "          env:\n" + manifest_variables(secret, variables);
}

}  // namespace

std::string kubernetes_sweep_manifest(const ClusterSweep& sweep) {
  std::vector<std::string> command{"sh", "-c", shard_of_index(sweep.shards()), "knead"};
  command.insert(command.end(), sweep.words.begin(), sweep.words.end());
  const std::string name = manifest_name(sweep.name);
  return fmt::format(
      kSweepManifest, fmt::arg("sweep", sweep.name), fmt::arg("name", name),
      fmt::arg("secret", manifest_secret(name, sweep.variables)),
      fmt::arg("variables", variables_of_shard(name, sweep.variables)),
      fmt::arg("placeholders", kManifestPlaceholders), fmt::arg("shards", sweep.shards()),
      fmt::arg("at_once", sweep.shards_at_once()), fmt::arg("uncounted", kManifestUncounted),
      fmt::arg("grace", kSecondsToSave), fmt::arg("command", manifest_command(command)),
      fmt::arg("resources",
               manifest_resources(sweep.processors(), sweep.is_cuda ? sweep.ranks : 0)),
      fmt::arg("volume", kManifestVolume));
}

}  // namespace knead::launch
