#include "runner/engine/losses/classes.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runner/engine/tensor_words.h"
#include "schema/error.h"

namespace knead::engine::losses {
namespace {

std::string shapes(const at::Tensor& output, const at::Tensor& target, const std::string& field) {
  return fmt::format("the output has the shape {}, the target '{}' {}", shape_words(output.sizes()),
                     field, shape_words(target.sizes()));
}

/// The shape of the classes for an output: without the second dimension.
std::vector<std::int64_t> shape_of_classes(const at::Tensor& output) {
  std::vector<std::int64_t> shape = output.sizes().vec();
  shape.erase(shape.begin() + 1);
  return shape;
}

std::string remedy_for(const at::Tensor& output, const at::Tensor& classes,
                       const std::string& field) {
  if (classes.dim() == 2 && classes.size(1) == 1 && output.dim() == 2)
    return fmt::format("leave `shape` out of the field '{}', so that a sample has one class",
                       field);
  if (output.dim() > 2 && classes.sizes() == output.sizes().slice(0, output.dim() - 1))
    return "the second dimension of the output is that of the classes: output.transpose(1, -1)";
  return fmt::format("change the model's output or the columns of the field '{}'", field);
}

}  // namespace

bool holds_classes(const at::Tensor& target) {
  return at::isIntegralType(target.scalar_type(), /*includeBool=*/true);
}

void expect_fit(const at::Tensor& output, const at::Tensor& classes, const std::string& asker,
                const std::string& field) {
  if (output.dim() < 2 || output.size(1) < 2)
    throw Error(fmt::format("{}: {} needs (N, C, …), a score for each of two or more classes",
                            shapes(output, classes, field), asker),
                "give the model an output for each class");
  const std::vector<std::int64_t> right = shape_of_classes(output);
  if (classes.sizes() == at::IntArrayRef(right)) return;
  throw Error(fmt::format("{}: {} needs a class for each item, {}", shapes(output, classes, field),
                          asker, shape_words(right)),
              remedy_for(output, classes, field));
}

void expect_in_range(const at::Tensor& classes, const ClassCount& known,
                     std::optional<std::int64_t> ignored, const std::string& field) {
  const at::Tensor flat = classes.to(at::kLong).contiguous();
  const std::int64_t* begin = flat.const_data_ptr<std::int64_t>();
  const std::int64_t* end = begin + flat.numel();
  const auto wrong = std::find_if(begin, end, [&](std::int64_t each) {
    return (each < 0 || each >= known.count) && each != ignored;
  });
  if (wrong == end) return;
  throw Error(
      fmt::format("the target '{}' has the class {}, but {} has {} classes, 0 to {}", field, *wrong,
                  known.says, known.count, known.count - 1),
      fmt::format(
          "check the data and the number of classes; if {} marks what does not count, write "
          "ignore_index: {} in loss",
          *wrong, *wrong));
}

}  // namespace knead::engine::losses
