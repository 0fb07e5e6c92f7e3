#pragma once

#include <string>

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>

namespace knead::engine {

/// What PyTorch made of given numbers: tests/fixtures/training/NAME.json, by tools/record_training.
struct Recorded {
  explicit Recorded(const std::string& name);

  nlohmann::json cases;
  bool computes_alike;  // this processor as the one it was recorded on
};

/// "float32", "bfloat16" …
at::ScalarType dtype_of(const std::string& name);

at::Tensor tensor_of(const nlohmann::json& recorded);

/// The same type, shape and bits.
bool same_bits(const at::Tensor& a, const at::Tensor& b);

/// The largest |a - b| as a share of the largest |b|; infinite if types or shapes differ.
double distance(const at::Tensor& a, const at::Tensor& b);

/// Whether no number is further off than the recording says that other rounding moves it.
bool is_within_bound(const at::Tensor& ours, const at::Tensor& theirs,
                     const nlohmann::json& recorded);

}  // namespace knead::engine
