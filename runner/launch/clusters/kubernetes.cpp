#include "runner/launch/clusters/kubernetes.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/source.h"
#include "schema/document/yaml_text.h"

namespace knead::launch {
namespace {

/// The longest name of a Job whose pods can be named: a host name has 63 characters, of which a
/// '-' and the index take some.
constexpr std::size_t kLongestName = 54;

constexpr std::string_view kManifest =
    R"yaml(# Trains {run} on Kubernetes.
#
# 'knead run --emit k8s' wrote this: an Indexed Job with a pod for each rank. How many there are is
# distributed.ranks of the recipe.
#
# FILL IN, here or with envsubst:
#   ${{KNEAD_IMAGE}}    an image that has knead
#   ${{KNEAD_VOLUME}}   a claim of a volume that all pods can write (ReadWriteMany). It holds the folder
#                     that the paths of the run begin in: recipe, model and data. runs/ appears there.
#
#   kubectl create secret generic {name} --from-literal=token="$(openssl rand -hex 16)"
#   envsubst '$KNEAD_IMAGE $KNEAD_VOLUME' <{name}.yaml | kubectl apply -f -
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
      # Kubernetes took the pod away: a new one becomes this rank.
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
      # Stopped by a signal or train.time_limit, with a checkpoint: new pods go on from there.
      - action: Ignore
        onExitCodes:
          operator: In
          values: [75]
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
                  key: token
{resources}          volumeMounts:
            - name: work
              mountPath: /work
      volumes:
        - name: work
          persistentVolumeClaim:
            claimName: "${{KNEAD_VOLUME}}"
)yaml";

/// Returns the name of a run as Kubernetes allows names: small letters, digits and '-', beginning
/// with a letter.
std::string name_of(const std::string& run) {
  std::string name = "knead-";
  for (const char c : run) {
    const auto byte = static_cast<unsigned char>(c);
    name += std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '-';
  }
  name.resize(std::min(name.size(), kLongestName));
  name.erase(name.find_last_not_of('-') + 1);
  return name;
}

bool is_unicode(const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = schema::sequence_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

/// Writes a word of a command. Kubernetes replaces $(NAME) in it, and reads $$ as one $.
std::string word_of_command(const std::string& word) {
  if (!is_unicode(word))
    throw Error(fmt::format("a manifest cannot hold '{}', which is not UTF-8", word), "rename it",
                Exit::invalid_recipe);
  std::string escaped;
  for (const char c : word) escaped += c == '$' ? "$$" : std::string(1, c);
  return schema::word_as_yaml(escaped);
}

std::string command(const ClusterJob& job) {
  std::string out;
  for (const char* const word : {"knead", "run", "--"})
    out += fmt::format("            - {}\n", word_of_command(word));
  for (const std::string& word : job.words)
    out += fmt::format("            - {}\n", word_of_command(word));
  return out;
}

std::string resources(const ClusterJob& job) {
  std::string out;
  if (job.threads)
    out += fmt::format("            requests:\n              cpu: \"{}\"\n", *job.threads);
  if (job.is_cuda) out += "            limits:\n              nvidia.com/gpu: \"1\"\n";
  return out.empty() ? "" : "          resources:\n" + out;
}

}  // namespace

std::string kubernetes_manifest(const ClusterJob& job) {
  return fmt::format(kManifest, fmt::arg("run", job.name), fmt::arg("name", name_of(job.name)),
                     fmt::arg("ranks", job.ranks), fmt::arg("backoff", job.restarts * job.ranks),
                     fmt::arg("grace", kSecondsToSave), fmt::arg("command", command(job)),
                     fmt::arg("resources", resources(job)));
}

}  // namespace knead::launch
