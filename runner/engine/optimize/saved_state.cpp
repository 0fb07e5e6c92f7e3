#include "runner/engine/optimize/saved_state.h"

#include <ATen/ops/empty_like.h>
#include <fmt/format.h>

#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine::optimize {
namespace {

/// Throws knead::Error with a way to go on.
[[noreturn]] void refuse_state(const std::string& message) {
  throw Error(
      message,
      "resume with the model and the optimizer that the state is of, or start over with --fresh",
      Exit::resume_refused);
}

std::string kind_words(const at::Tensor& tensor) {
  return fmt::format("{} of the shape {}", dtype_words(tensor.scalar_type()),
                     shape_words(tensor.sizes()));
}

}  // namespace

SavedState::SavedState(const NamedTensors& saved, std::string whose) : whose_(std::move(whose)) {
  for (const auto& [name, tensor] : saved) left_.emplace(name, tensor);
}

bool SavedState::holds(const std::string& parameter) const {
  const std::string prefix = parameter + "/";
  // Names are sorted: if any begins with the prefix, the first that is not less does.
  const auto first = left_.lower_bound(prefix);
  return first != left_.end() && first->first.starts_with(prefix);
}

at::Tensor SavedState::take(const std::string& name, const at::Tensor& like) {
  const auto saved = left_.extract(name);
  if (saved.empty()) refuse_state(fmt::format("the saved state of {} lacks '{}'", whose_, name));
  const at::Tensor& tensor = saved.mapped();
  if (tensor.sizes() != like.sizes() || tensor.scalar_type() != like.scalar_type())
    refuse_state(fmt::format("the saved state of {} has '{}' as {}, not as {}", whose_, name,
                             kind_words(tensor), kind_words(like)));
  return at::empty_like(like).copy_(tensor);
}

void SavedState::expect_all_taken() const {
  if (left_.empty()) return;
  refuse_state(fmt::format("the saved state of {} has '{}', which belongs to nothing here", whose_,
                           left_.begin()->first));
}

}  // namespace knead::engine::optimize
