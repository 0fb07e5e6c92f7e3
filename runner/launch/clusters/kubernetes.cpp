#include "runner/launch/clusters/kubernetes.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "runner/launch/clusters/manifest.h"

namespace knead::launch {
namespace {

constexpr std::string_view kManifest =
    R"yaml(# Trains {run} on Kubernetes.
#
# 'knead run --emit k8s' wrote this: an Indexed Job with a pod for each rank. How many there are is
# distributed.ranks of the recipe.
#
{placeholders}#
{secret}#   envsubst '$KNEAD_IMAGE $KNEAD_VOLUME' <{name}.yaml | kubectl apply -f -
apiVersion: v1
kind: Service
metadata:
  name: {name}
spec:
  # Names each pod. The ranks ask for the name of rank 0 while its pod is still starting.
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    app.kubernetes.io/instance: {name}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  completionMode: Indexed
  completions: {ranks}
  parallelism: {ranks}
  # distributed.restarts × ranks: a lost rank ends the others too, each a pod with exit code 6.
  backoffLimit: {backoff}
  podFailurePolicy:
    rules:
{uncounted}
      # The recipe, data, an expectation, the training or the checkpoint: another try would end the
      # same. All ranks take each step together, so this ends the Job and not one index.
      - action: FailJob
        onExitCodes:
          operator: In
          values: [2, 3, 4, 5, 7]
  template:
    metadata:
      labels:
        app.kubernetes.io/name: knead
        app.kubernetes.io/instance: {name}
    spec:
      subdomain: {name}
      restartPolicy: Never
      # A step and a checkpoint, from SIGTERM on.
      terminationGracePeriodSeconds: {grace}
      containers:
        - name: rank
          image: "${{KNEAD_IMAGE}}"
          workingDir: /work
          command:
{command}          env:
            - name: RANK
              valueFrom:
                fieldRef:
                  fieldPath: metadata.annotations['batch.kubernetes.io/job-completion-index']
            - name: WORLD_SIZE
              value: "{ranks}"
            - name: LOCAL_RANK
              value: "0"
            - name: MASTER_ADDR
              value: {name}-0.{name}
            - name: MASTER_PORT
              value: "29500"
            - name: KNEAD_TOKEN
              valueFrom:
                secretKeyRef:
                  name: {name}
                  key: KNEAD_TOKEN
{variables}{resources}{volume})yaml";

constexpr const char* kNewToken = " --from-literal=KNEAD_TOKEN=\"$(openssl rand -hex 16)\"";

/// Variables that the manifest sets, and the one that Kubernetes sets in pods of an Indexed Job.
constexpr std::string_view kSetAnyway[] = {
    "RANK",        "WORLD_SIZE",  "LOCAL_RANK",          "MASTER_ADDR",
    "MASTER_PORT", "KNEAD_TOKEN", "JOB_COMPLETION_INDEX"};

/// Returns the variables of the recipe that nothing else sets: a name that stands twice under
/// `env:` would have two values.
std::vector<ClusterVariable> variables_to_set(std::vector<ClusterVariable> variables) {
  std::erase_if(variables, [](const ClusterVariable& variable) {
    return std::find(std::begin(kSetAnyway), std::end(kSetAnyway), variable.name) !=
           std::end(kSetAnyway);
  });
  return variables;
}

}  // namespace

std::string kubernetes_manifest(const ClusterJob& job) {
  std::vector<std::string> command{"knead", "run", "--"};
  command.insert(command.end(), job.words.begin(), job.words.end());
  const std::string name = manifest_name(job.name);
  const auto variables = variables_to_set(job.variables);
  return fmt::format(kManifest, fmt::arg("run", job.name), fmt::arg("name", name),
                     fmt::arg("secret", manifest_secret(name, variables, kNewToken)),
                     fmt::arg("variables", manifest_variables(name, variables)),
                     fmt::arg("placeholders", kManifestPlaceholders), fmt::arg("ranks", job.ranks),
                     fmt::arg("backoff", job.restarts * job.ranks),
                     fmt::arg("uncounted", kManifestUncounted), fmt::arg("grace", kSecondsToSave),
                     fmt::arg("command", manifest_command(command)),
                     fmt::arg("resources", manifest_resources(job.threads, job.is_cuda ? 1 : 0)),
                     fmt::arg("volume", kManifestVolume));
}

}  // namespace knead::launch
