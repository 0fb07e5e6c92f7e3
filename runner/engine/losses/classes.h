#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

namespace knead::engine::losses {

// Checks and reshapes what losses and metrics of classification compare: an output, (N, C, …) or
// (N, …, C), and a target of classes, (N, …).

/// Names the dimension of an output that holds the scores of the classes: the second, as torch has
/// it, or the last, as language models have it.
enum class ClassDim { second, last };

/// Converts the option class_dim of a recipe; std::nullopt if it is not written.
template <class Written>
std::optional<ClassDim> class_dim_of(const std::optional<Written>& written) {
  if (!written) return std::nullopt;
  return *written == Written::last ? ClassDim::last : ClassDim::second;
}

/// Returns the device and the dtype for numbers that are compared with an output: those of the
/// output, but float32 for half precision, because autocast computes losses in float32.
at::TensorOptions options_beside(const at::Tensor& output);

/// Returns whether a target holds the numbers of classes: its dtype is an integer or bool.
bool holds_classes(const at::Tensor& target);

/// Returns the dimension of an output that holds the scores of the classes: `written` if the recipe
/// gives it, else the one that fits the shape of `classes`. Throws knead::Error if the output has
/// scores for fewer than two classes there, if the classes do not fit, or if both dimensions fit.
/// `asker`: the type of the loss or metric; `field`: the name of the target.
ClassDim find_class_dim(const at::Tensor& output, const at::Tensor& classes,
                        std::optional<ClassDim> written, const std::string& asker,
                        const std::string& field);

/// Returns the number of classes that an output has scores for.
std::int64_t count_classes(const at::Tensor& output, ClassDim dim);

/// Returns the scores of all items, one row for each: (items, C).
at::Tensor scores_of_items(const at::Tensor& output, ClassDim dim);

/// Holds the number of classes and the words for its origin in messages.
struct ClassCount {
  std::int64_t count;
  std::string says;  // "the output"
};

/// Throws knead::Error for the first class outside [0, known.count) that is not `ignored`.
/// `classes` must lie in host memory.
void expect_in_range(const at::Tensor& classes, const ClassCount& known,
                     std::optional<std::int64_t> ignored, const std::string& field);
/// Does the same for targets of which no class can be ignored. `remedy`: for the message.
void expect_all_in_range(const at::Tensor& classes, const ClassCount& known,
                         const std::string& field, const std::string& remedy);

}  // namespace knead::engine::losses
