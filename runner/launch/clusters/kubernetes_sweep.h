#pragma once

#include <string>

#include "runner/launch/clusters/cluster_job.h"

namespace knead::launch {

/// Returns the manifest that runs a sweep on Kubernetes: an Indexed Job with an index for each
/// shard, whose pod is `knead sweep --shard`, one trial after another. A failed trial ends its
/// index only, and a pod that is stopped or taken away is replaced without being counted. The image
/// and the volume are the placeholders ${KNEAD_IMAGE} and ${KNEAD_VOLUME}. Paths of sweep.words are
/// relative to the folder that the volume holds; the variables of the recipe are in a Secret of the
/// same name as the Job, each under its own name. Pure: does no I/O. Throws knead::Error if a word
/// is not UTF-8, which a manifest cannot hold.
std::string kubernetes_sweep_manifest(const ClusterSweep& sweep);

}  // namespace knead::launch
