#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/parallel/group.h"

namespace knead::engine::parallel {

/// Overwrites tensors by those of rank 0, in messages of a few megabytes, so that no rank holds
/// them twice. All ranks must pass tensors of the same shapes and dtypes in the same order, on the
/// same kinds of devices. Does nothing without tensors or for a single rank.
void copy_from_first(const std::vector<at::Tensor>& tensors, Group& group);

}  // namespace knead::engine::parallel
