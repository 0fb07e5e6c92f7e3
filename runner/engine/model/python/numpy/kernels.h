#pragma once

#include <concepts>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>

#include "runner/engine/model/python/numpy/dtypes.h"

namespace knead::engine::model::numpy {

// Loops over the numbers of arrays. A kernel never sees float16: NumPy computes it in float32.

/// Calls `visit` with a value of the C++ type of a dtype: float, double, bool or an int.
template <typename Visit>
decltype(auto) with_number_type(c10::ScalarType type, Visit visit) {
  switch (type) {
    case c10::ScalarType::Bool: return visit(bool{});
    case c10::ScalarType::Byte: return visit(std::uint8_t{});
    case c10::ScalarType::Char: return visit(std::int8_t{});
    case c10::ScalarType::Short: return visit(std::int16_t{});
    case c10::ScalarType::Int: return visit(std::int32_t{});
    case c10::ScalarType::Long: return visit(std::int64_t{});
    case c10::ScalarType::Float: return visit(float{});
    default: return visit(double{});
  }
}

/// Applies a function of one number to each item of an array of floats.
template <auto function>
at::Tensor mapped(const at::Tensor& numbers) {
  const at::Tensor in = numbers.contiguous();
  at::Tensor out = at::empty_like(in);
  const auto run = [&]<typename Number>(Number) {
    const Number* from = in.const_data_ptr<Number>();
    Number* to = out.mutable_data_ptr<Number>();
    for (std::int64_t i = 0; i < in.numel(); ++i) to[i] = function(from[i]);
  };
  in.scalar_type() == c10::ScalarType::Float ? run(float{}) : run(double{});
  return out;
}

/// Applies a function of two numbers to the items of two arrays of one shape and dtype.
template <auto function>
at::Tensor zipped(const at::Tensor& left, const at::Tensor& right) {
  const at::Tensor a = left.contiguous();
  const at::Tensor b = right.contiguous();
  at::Tensor out = at::empty_like(a);
  with_number_type(a.scalar_type(), [&]<typename Number>(Number) {
    const Number* x = a.const_data_ptr<Number>();
    const Number* y = b.const_data_ptr<Number>();
    Number* to = out.mutable_data_ptr<Number>();
    for (std::int64_t i = 0; i < a.numel(); ++i) to[i] = static_cast<Number>(function(x[i], y[i]));
  });
  return out;
}

}  // namespace knead::engine::model::numpy
