#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

namespace knead::engine::losses {

// Checks and reshapes what losses and metrics of classification compare: an output, (N, C, …) or
// (N, …, C), and a target of classes, (N, …).

/// Names the dimension of an output that holds the scores of the classes: the second, (N, C, …), as
/// torch has it, or the last, (N, …, C), as language models have it. Both are the same for (N, C).
enum class ClassDim { second, last };

/// Converts the option class_dim of a recipe; std::nullopt if it is not written.
template <class Written>
std::optional<ClassDim> class_dim_of(const std::optional<Written>& written) {
  if (!written) return std::nullopt;
  return *written == Written::last ? ClassDim::last : ClassDim::second;
}

/// Returns the device and the dtype for numbers that are compared with an output: those of the
/// output, but float32 for half precision, because autocast computes losses in float32. Used for
/// targets, class weights and other factors.
at::TensorOptions options_beside(const at::Tensor& output);

/// Returns whether a target holds the numbers of classes: its dtype is an integer or bool. A
/// floating-point target holds values or probabilities, even if all are whole numbers.
bool holds_classes(const at::Tensor& target);

/// Returns the dimension of an output that holds the scores of the classes: `written` if the recipe
/// gives it, else the one that fits the shape of `classes`, (N, …). For an output (8, 5, 20) and
/// classes (8, 20) it is the second.
///
/// Throws UnfitOutput if the output has fewer than two dimensions, if it has scores for fewer than
/// two classes there, if the classes do not fit, or if both dimensions fit. `asker`: the type of
/// the loss or metric; `field`: the name of the target; both for messages. Compares shapes only, so
/// it never waits for a GPU.
ClassDim find_class_dim(const at::Tensor& output, const at::Tensor& classes,
                        std::optional<ClassDim> written, const std::string& asker,
                        const std::string& field);

/// Returns the number of classes that an output has scores for, the size of that dimension.
std::int64_t count_classes(const at::Tensor& output, ClassDim dim);

/// Returns the scores of all items, one row for each: (items, C), in the order of the flattened
/// classes. A view if the memory order allows it, otherwise a copy.
at::Tensor scores_of_items(const at::Tensor& output, ClassDim dim);

/// Holds the number of classes and the words for its origin in messages.
struct ClassCount {
  /// Holds the number of classes; those from 0 to count − 1 exist.
  std::int64_t count;
  /// Names what determines the number in messages: "the output".
  std::string says;
};

/// Throws UnfitOutput for the first class outside [0, known.count) that is not `ignored`;
/// std::nullopt: no class is ignored. The message suggests ignore_index. `classes` must lie in host
/// memory; takes time proportional to their number.
void expect_in_range(const at::Tensor& classes, const ClassCount& known,
                     std::optional<std::int64_t> ignored, const std::string& field);
/// Does the same as expect_in_range() for targets of which no class can be ignored. `remedy`: for
/// the message.
void expect_all_in_range(const at::Tensor& classes, const ClassCount& known,
                         const std::string& field, const std::string& remedy);

}  // namespace knead::engine::losses
