#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

namespace knead::engine::losses {

// What losses and metrics of classification ask of an output, (N, C, …) or (N, …, C), and of
// classes, (N, …).

/// Which dimension of an output is that of the classes: torch's, or that of language models.
enum class ClassDim { second, last };

/// What a recipe says of it.
template <class Written>
std::optional<ClassDim> class_dim_of(const std::optional<Written>& written) {
  if (!written) return std::nullopt;
  return *written == Written::last ? ClassDim::last : ClassDim::second;
}

/// How numbers are laid out that are compared with an output: on its device and of its type, but of
/// float32 where that is a half: autocast computes losses in float32.
at::TensorOptions options_beside(const at::Tensor& output);

/// Whether a target holds the numbers of classes: whole numbers or truth values.
bool holds_classes(const at::Tensor& target);

/// Where the classes of an output are: where it is `written`, else the one dimension that fits.
/// Throws knead::Error unless the output has scores for two or more classes there and a target of
/// classes fits it, and where both dimensions would. `asker` is the type of loss or metric, `field`
/// the target's.
ClassDim find_class_dim(const at::Tensor& output, const at::Tensor& classes,
                        std::optional<ClassDim> written, const std::string& asker,
                        const std::string& field);

/// How many classes an output has scores for.
std::int64_t count_classes(const at::Tensor& output, ClassDim dim);

/// The scores of all items one below another, (items, C).
at::Tensor scores_of_items(const at::Tensor& output, ClassDim dim);

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
