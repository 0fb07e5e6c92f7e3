#include "runner/engine/optimize/fused.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <fmt/format.h>

#include "runner/engine/optimize/gradient.h"
#include "schema/document/error.h"

namespace knead::engine::optimize {

void refuse_gaps(const NamedTensor& parameter) {
  if (parameter.tensor.is_non_overlapping_and_dense()) return;
  throw Error(fmt::format("the parameter '{}' is a view with gaps", parameter.name),
              "make it of a tensor of its own: nn.Parameter(t.contiguous())");
}

at::Tensor ordered_gradient(const NamedTensor& parameter) {
  const at::Tensor& gradient = dense_gradient(parameter);
  if (!gradient.defined()) return gradient;
  // Strides of dimensions of size 1 may differ though the order of memory is the same.
  const bool in_order = gradient.is_contiguous() ? parameter.tensor.is_contiguous()
                                                 : gradient.strides() == parameter.tensor.strides();
  if (in_order) return gradient;
  return at::empty_like(parameter.tensor).copy_(gradient);
}

bool Participants::changed(const NamedTensors& parameters) {
  bool changed = have_gradients_.empty();
  have_gradients_.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool has_gradient = parameters[i].tensor.grad().defined();
    changed = changed || has_gradient != have_gradients_[i];
    have_gradients_[i] = has_gradient;
  }
  return changed;
}

void count_update(std::vector<at::Tensor>& steps) {
  if (!steps.front().is_cpu()) return at::_foreach_add_(steps, 1);
  // Calling an operator for each count would take longer than the update of a small model.
  for (const at::Tensor& step : steps) ++*step.mutable_data_ptr<float>();
}

const std::optional<at::Tensor>& GradientScale::divisor(double factor,
                                                        std::vector<at::Tensor>& gradients) {
  given_.reset();
  if (factor == 1 && !unread_) return given_;
  const at::Tensor& first = gradients.front();
  if (first.scalar_type() == at::kDouble) {  // the kernel's float32 would lose half of the digits
    if (unread_) {
      at::_foreach_mul_(gradients, unread_->factor);
    } else {
      at::_foreach_mul_(gradients, factor);
    }
    return given_;
  }
  if (unread_) {
    given_ = unread_->factor.reciprocal().to(at::kFloat);
    return given_;
  }
  if (!divisor_.defined()) divisor_ = at::full({}, 0, first.options().dtype(at::kFloat));
  const auto value = static_cast<float>(1 / factor);
  if (divisor_.is_cpu()) {
    *divisor_.mutable_data_ptr<float>() = value;
  } else {
    divisor_.fill_(value);
  }
  given_ = divisor_;
  return given_;
}

std::optional<at::Tensor> GradientScale::found_inf() const {
  return unread_ ? std::optional(unread_->found_inf) : std::nullopt;
}

void GradientScale::count_no_more(std::vector<at::Tensor>& steps) const {
  if (!unread_) return;
  at::_foreach_sub_(steps, std::vector<at::Tensor>(steps.size(), unread_->found_inf));
}

}  // namespace knead::engine::optimize
