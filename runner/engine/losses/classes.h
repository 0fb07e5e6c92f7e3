#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

namespace knead::engine::losses {

// What losses and metrics of classification ask of an output, (N, C, …), and of classes, (N, …).

/// Whether a target holds the numbers of classes: whole numbers or truth values.
bool holds_classes(const at::Tensor& target);

/// Throws knead::Error unless the output has scores for two or more classes and a target of classes
/// fits it. `asker` is the type of loss or metric, `field` the target's.
void expect_fit(const at::Tensor& output, const at::Tensor& classes, const std::string& asker,
                const std::string& field);

/// How many classes there are, and what says so.
struct ClassCount {
  std::int64_t count;
  std::string says;  // "the output"
};

/// Throws knead::Error for the first class that is neither below the count nor `ignored`. `classes`
/// lies in host memory.
void expect_in_range(const at::Tensor& classes, const ClassCount& known,
                     std::optional<std::int64_t> ignored, const std::string& field);

}  // namespace knead::engine::losses
