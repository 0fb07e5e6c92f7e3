#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/launch/clusters/cluster_job.h"

// Parts of manifests for Kubernetes that runs and sweeps share.

namespace knead::launch {

/// Says what a person fills in, as comments at the beginning.
inline constexpr std::string_view kManifestPlaceholders =
    R"yaml(# FILL IN, here or with envsubst:
#   ${KNEAD_IMAGE}    an image that has knead
#   ${KNEAD_VOLUME}   a claim of a volume that all pods can write (ReadWriteMany). It holds the folder
#                     that the paths of the run begin in: recipe, model and data. runs/ appears there.
)yaml";

/// The rules of a podFailurePolicy for ends that do not count as failures.
inline constexpr std::string_view kManifestUncounted =
    R"yaml(      # Kubernetes took the pod away: a new one takes its place.
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
      # Stopped by a signal or train.time_limit, with a checkpoint: new pods go on from there.
      - action: Ignore
        onExitCodes:
          operator: In
          values: [75])yaml";

/// The volume of a pod, and where its container sees it.
inline constexpr std::string_view kManifestVolume = R"yaml(          volumeMounts:
            - name: work
              mountPath: /work
      volumes:
        - name: work
          persistentVolumeClaim:
            claimName: "${KNEAD_VOLUME}"
)yaml";

/// Returns the name of a run as Kubernetes allows names of Jobs: small letters, digits and '-',
/// beginning with a letter.
std::string manifest_name(const std::string& run);

/// Writes a command as the items of a list. Kubernetes replaces nothing in its words. Throws
/// knead::Error if a word is not UTF-8.
std::string manifest_command(const std::vector<std::string>& words);

/// Returns comments that say how to make the Secret of the name, with the variables that have no
/// default, taken from the shell. `literals` are further options of that command: "
/// --from-literal=…". Empty if the Secret would be.
std::string manifest_secret(const std::string& name, const std::vector<ClusterVariable>& variables,
                            const std::string& literals = "");

/// Writes variables as items of `env:` that read the keys of their names from a Secret.
std::string manifest_variables(const std::string& secret,
                               const std::vector<ClusterVariable>& variables);

/// Writes what a container needs; empty if that is nothing.
std::string manifest_resources(std::optional<std::int64_t> processors, std::int64_t gpus);

}  // namespace knead::launch
