#include "runner/engine/losses/classes.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runner/engine/batch/model_output.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine::losses {
namespace {

/// Describes the shapes of output and target for messages.
std::string shapes(const at::Tensor& output, const at::Tensor& target, const std::string& field) {
  return fmt::format("the output has the shape {}, the target '{}' {}", shape_words(output.sizes()),
                     field, shape_words(target.sizes()));
}

/// Returns the shape of classes that fits an output: its shape without the dimension of the scores.
std::vector<std::int64_t> shape_of_classes(const at::Tensor& output, ClassDim dim) {
  std::vector<std::int64_t> shape = output.sizes().vec();
  shape.erase(dim == ClassDim::second ? shape.begin() + 1 : shape.end() - 1);
  return shape;
}

/// Returns whether the classes fit an output whose scores are in this dimension.
bool fits(const at::Tensor& output, const at::Tensor& classes, ClassDim dim) {
  return classes.sizes() == at::IntArrayRef(shape_of_classes(output, dim));
}

/// Returns a hint for classes that do not fit an output.
std::string remedy_for(const at::Tensor& output, const at::Tensor& classes, ClassDim dim,
                       const std::string& field) {
  if (classes.dim() == 2 && classes.size(1) == 1 && output.dim() == 2)
    return fmt::format("write `shape: []` for the field '{}', so that a sample has one class",
                       field);
  if (classes.dim() > 1 && output.dim() == 2 && output.size(0) == classes.numel()) {
    std::vector<std::int64_t> whole = classes.sizes().vec();
    whole.push_back(output.size(1));
    return fmt::format("return {}, whose dimensions the model has joined, as view or flatten does",
                       shape_words(whole));
  }
  const ClassDim other = dim == ClassDim::second ? ClassDim::last : ClassDim::second;
  if (fits(output, classes, other))
    return fmt::format("write class_dim: {}", other == ClassDim::last ? "last" : "second");
  return fmt::format("change the model's output or the columns of the field '{}'", field);
}

/// Throws UnfitOutput for an output without scores for two or more classes.
[[noreturn]] void refuse_scores(const at::Tensor& output, const at::Tensor& classes,
                                const std::string& asker, const std::string& field) {
  throw UnfitOutput(fmt::format("{}: {} needs (N, C, …), a score for each of two or more classes",
                                shapes(output, classes, field), asker),
                    "give the model an output for each class");
}

/// Returns the first class outside [0, count) that is not `ignored`.
std::optional<std::int64_t> first_outside(const at::Tensor& classes, std::int64_t count,
                                          std::optional<std::int64_t> ignored) {
  const at::Tensor flat = classes.to(at::kLong).contiguous();
  const std::int64_t* begin = flat.const_data_ptr<std::int64_t>();
  const std::int64_t* end = begin + flat.numel();
  const auto wrong = std::find_if(begin, end, [&](std::int64_t each) {
    return (each < 0 || each >= count) && each != ignored;
  });
  return wrong == end ? std::nullopt : std::optional(*wrong);
}

UnfitOutput outside(std::int64_t wrong, const ClassCount& known, const std::string& field,
                    const std::string& remedy) {
  return UnfitOutput(fmt::format("the target '{}' has the class {}, but {} has {} classes, 0 to {}",
                                 field, wrong, known.says, known.count, known.count - 1),
                     remedy);
}

}  // namespace

at::TensorOptions options_beside(const at::Tensor& output) {
  const auto type = output.scalar_type();
  return output.options().dtype(type == at::kHalf || type == at::kBFloat16 ? at::kFloat : type);
}

bool holds_classes(const at::Tensor& target) {
  return at::isIntegralType(target.scalar_type(), /*includeBool=*/true);
}

ClassDim find_class_dim(const at::Tensor& output, const at::Tensor& classes,
                        std::optional<ClassDim> written, const std::string& asker,
                        const std::string& field) {
  if (output.dim() < 2) refuse_scores(output, classes, asker, field);
  const bool second = fits(output, classes, ClassDim::second);
  const bool last = fits(output, classes, ClassDim::last);
  // The second dimension of (N, C) is the last one; for an empty batch either choice gives 0.
  const bool both = second && last && output.dim() > 2 && output.size(0) > 0;
  if (!written && both && output.size(1) > 1)
    throw UnfitOutput(fmt::format("{}: the classes may be in the second or in the last dimension",
                                  shapes(output, classes, field)),
                      "write class_dim: last for scores (N, …, C), second for (N, C, …)");
  ClassDim dim = last && !second ? ClassDim::last : ClassDim::second;
  if (written) dim = *written;
  if (count_classes(output, dim) < 2) refuse_scores(output, classes, asker, field);
  if (dim == ClassDim::second ? second : last) return dim;
  throw UnfitOutput(
      fmt::format("{}: {} needs a class for each item, {}", shapes(output, classes, field), asker,
                  shape_words(shape_of_classes(output, dim))),
      remedy_for(output, classes, dim, field));
}

std::int64_t count_classes(const at::Tensor& output, ClassDim dim) {
  return output.size(dim == ClassDim::second ? 1 : -1);
}

at::Tensor scores_of_items(const at::Tensor& output, ClassDim dim) {
  const at::Tensor scores = dim == ClassDim::second ? output.movedim(1, -1) : output;
  return scores.reshape({-1, scores.size(-1)});
}

void expect_in_range(const at::Tensor& classes, const ClassCount& known,
                     std::optional<std::int64_t> ignored, const std::string& field) {
  const auto wrong = first_outside(classes, known.count, ignored);
  if (!wrong) return;
  throw outside(
      *wrong, known, field,
      fmt::format("check the data and the number of classes; if {} marks what does not count, "
                  "write ignore_index: {} in loss",
                  *wrong, *wrong));
}

void expect_all_in_range(const at::Tensor& classes, const ClassCount& known,
                         const std::string& field, const std::string& remedy) {
  const auto wrong = first_outside(classes, known.count, std::nullopt);
  if (wrong) throw outside(*wrong, known, field, remedy);
}

}  // namespace knead::engine::losses
