#include "runner/engine/optimize/clip.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/div.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros.h>

#include "runner/engine/optimize/gradient.h"

namespace knead::engine::optimize {
namespace {

constexpr double kEuclidean = 2;
constexpr double kNormFloor = 1e-6;  // torch's constant against a division by a norm of 0

/// Returns the norm of a tensor as a float64 scalar on its device.
at::Tensor norm_tensor(const at::Tensor& tensor, double type) {
  return at::linalg_vector_norm(tensor, type, at::OptionalIntArrayRef{}, /*keepdim=*/false,
                                at::kDouble);
}

/// Returns the norm of several vectors taken as one, computed from their norms.
double norm_of_norms(std::vector<double>& norms, double type) {
  if (norms.empty()) return 0;
  // The norm of one number would round it once more.
  if (norms.size() == 1) return norms.front();
  const auto count = static_cast<std::int64_t>(norms.size());
  return norm_tensor(at::from_blob(norms.data(), count, at::kDouble), type).item<double>();
}

/// Appends the norm of each tensor to `norms`; waits for the device once.
void add_norms(const std::vector<at::Tensor>& tensors, double type, std::vector<double>& norms) {
  if (tensors.empty()) return;
  std::vector<at::Tensor> each;
  for (const at::Tensor& tensor : tensors) each.push_back(norm_tensor(tensor, type));
  const at::Tensor all = at::stack(each).cpu();
  const double* first = all.const_data_ptr<double>();
  norms.insert(norms.end(), first, first + all.numel());
}

/// Returns the norm of all gradients taken as one vector. Computes the Euclidean norm in one pass
/// by `squares`, for the tensors that it takes.
double gradient_norm(const NamedTensors& parameters, double type, SumOfSquares& squares) {
  std::vector<double> norms;
  std::vector<at::Tensor> others;
  bool any_squares = false;
  squares.clear();
  for (const NamedTensor& parameter : parameters) {
    const at::Tensor& gradient = dense_gradient(parameter);
    if (!gradient.defined() || gradient.numel() == 0) continue;
    if (type == kEuclidean && SumOfSquares::takes(gradient)) {
      squares.add(gradient);
      any_squares = true;
    } else {
      others.push_back(gradient);
    }
  }
  add_norms(others, type, norms);
  if (any_squares) norms.push_back(std::sqrt(squares.total()));
  return norm_of_norms(norms, type);
}

/// Returns whether the parameters, which lie on one device, lie in host memory.
bool in_host_memory(const NamedTensors& parameters) {
  return parameters.empty() || parameters.front().tensor.is_cpu();
}

/// Returns float64 scalars as one vector, without a kernel if they lie one after the other in one
/// memory, as those of _foreach_norm() do on a GPU.
at::Tensor vector_of(const std::vector<at::Tensor>& scalars) {
  const at::Tensor& first = scalars.front();
  const auto* const begin = static_cast<const double*>(first.const_data_ptr());
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (!scalars[i].is_alias_of(first) || scalars[i].const_data_ptr() != begin + i)
      return at::stack(scalars);
  }
  return first.as_strided({static_cast<std::int64_t>(scalars.size())}, {1});
}

/// Returns the norm of all gradients taken as one vector, as a float64 scalar on their device.
/// Starts few kernels and does not wait for them.
at::Tensor gradient_norm_there(const NamedTensors& parameters, double type) {
  std::vector<at::Tensor> gradients;
  for (const NamedTensor& parameter : parameters) {
    const at::Tensor& gradient = dense_gradient(parameter);
    if (gradient.defined() && gradient.numel() > 0) gradients.push_back(gradient);
  }
  if (gradients.empty())
    return at::zeros({}, parameters.front().tensor.options().dtype(at::kDouble));
  return norm_tensor(vector_of(at::_foreach_norm(gradients, type, at::kDouble)), type);
}

/// Multiplies all gradients by a number in place.
template <class Number>
void scale_elements(const NamedTensors& parameters, const Number& scale) {
  for (const NamedTensor& parameter : parameters) {
    at::Tensor gradient = dense_gradient(parameter);
    if (gradient.defined()) gradient.mul_(scale);
  }
}

/// Clamps all gradients to [-most, most] in place.
void bound_elements(const NamedTensors& parameters, double most) {
  for (const NamedTensor& parameter : parameters) {
    at::Tensor gradient = dense_gradient(parameter);
    if (gradient.defined()) gradient.clamp_(-most, most);
  }
}

}  // namespace

Clip::Clip(const std::optional<recipe::Clip>& clip, AllNorms all_norms)
    : norm_type_(kEuclidean), all_norms_(std::move(all_norms)) {
  if (!clip) return;
  most_norm_ = clip->norm;
  most_value_ = clip->value;
  norm_type_ = clip->norm_type;
}

Measured Clip::measure(const NamedTensors& parameters, double scale) {
  if (!in_host_memory(parameters) && !all_norms_) {
    const Unread unread = leave_unread(parameters, scale, at::Tensor());
    const at::Tensor read = at::cat({unread.numbers, unread.factor.reshape(1)}).cpu();
    const double* values = read.const_data_ptr<double>();
    return {.norm = values[0], .finite = std::isfinite(values[0]), .factor = values[1]};
  }
  const at::NoGradGuard no_grad;
  double norm = gradient_norm(parameters, norm_type_, squares_);
  if (all_norms_) {
    std::vector<double> norms = all_norms_(norm);
    norm = norm_of_norms(norms, norm_type_);
  }
  norm *= scale;
  Measured measured = {.norm = norm, .finite = std::isfinite(norm), .factor = scale};
  // A factor from an infinite norm would be 0 or NaN, and in-place clipping would hide the cause.
  if (!measured.finite) return measured;
  if (most_norm_) measured.factor *= std::min(1.0, *most_norm_ / (norm + kNormFloor));
  if (most_value_) {
    if (measured.factor != 1) scale_elements(parameters, measured.factor);
    bound_elements(parameters, *most_value_);
    measured.factor = 1;
  }
  return measured;
}

Unread Clip::leave_unread(const NamedTensors& parameters, double scale, const at::Tensor& losses) {
  const at::NoGradGuard no_grad;
  Unread unread;
  // No branch below depends on a number of the device, because reading it would wait. There are few
  // kernels, because each takes the host as long as one of the model does.
  const at::Tensor norm = gradient_norm_there(parameters, norm_type_).mul(scale);
  const at::Tensor last = norm.reshape(1);
  unread.numbers = losses.defined() ? at::cat({losses, last}) : last;
  // A number minus itself is 0 only if it is finite.
  unread.found_inf = at::sub(unread.numbers, unread.numbers).ne(0).any().to(at::kFloat);
  unread.factor = scale_.like(norm, scale);
  if (most_norm_)
    unread.factor =
        at::div(bound_.like(norm, *most_norm_), norm.add(kNormFloor)).clamp_max_(1).mul_(scale);
  if (most_value_) {
    scale_elements(parameters, unread.factor);
    bound_elements(parameters, *most_value_);
    unread.factor = at::ones_like(norm);
  }
  return unread;
}

const at::Tensor& Clip::Kept::like(const at::Tensor& scalar, double value) {
  if (!there.defined() || here != value) there = at::full_like(scalar, here = value);
  return there;
}

}  // namespace knead::engine::optimize
