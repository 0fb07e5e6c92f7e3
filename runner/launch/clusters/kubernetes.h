#pragma once

#include <string>

#include "runner/launch/clusters/cluster_job.h"

namespace knead::launch {

/// Returns the manifest that trains a run on Kubernetes: an Indexed Job with a pod for each rank
/// and a headless Service that names the pods, for kubectl. The image and the volume are the
/// placeholders ${KNEAD_IMAGE} and ${KNEAD_VOLUME}; the token and the variables of the recipe
/// are in a Secret of the same name as the Job, each under its own name. Paths of job.words are
/// relative to the folder that the volume holds. Pure: does no I/O. Throws knead::Error if a word
/// is not UTF-8, which a manifest cannot hold.
std::string kubernetes_manifest(const ClusterJob& job);

}  // namespace knead::launch
