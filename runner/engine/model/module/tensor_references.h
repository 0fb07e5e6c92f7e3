#pragma once

#include <string>
#include <unordered_map>
#include <utility>

#include <nlohmann/json.hpp>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::model {

// References to tensors in a checkpoint: "rnn.weight_ih_l0" for a tensor of the model, {"view_of":
// "table", "sizes": …, "strides": …, "offset": …, "has_gradient": …} for a view of one (sizes,
// strides and offset in elements). Tensors that are one tensor when saved are one tensor when read.

/// Writes references and collects tensors that have no name yet. Call reference() for each tensor,
/// then take() once.
class TensorWriter {
 public:
  /// `known` holds tensors that are saved elsewhere, by name.
  explicit TensorWriter(NamedTensors known) : known_(std::move(known)) {}

  /// Returns the reference of a tensor. A tensor that is neither a known one nor a view of one is
  /// kept under `name`, and is a known one from then on. Takes time linear in the number of known
  /// tensors.
  nlohmann::json reference(const at::Tensor& tensor, const std::string& name);

  /// Returns the collected tensors, contiguous and detached.
  NamedTensors take() { return std::move(own_); }

 private:
  NamedTensors known_;
  NamedTensors own_;
};

/// Resolves references. Throws knead::Error if neither list contains the tensor; an exception of
/// nlohmann::json for JSON that TensorWriter did not write.
class TensorReader {
 public:
  /// `known` is the list of the writer in the model that reads; `own` is the result of take(), of
  /// which each tensor is cloned once.
  TensorReader(const NamedTensors& known, const NamedTensors& own);

  /// Returns the referenced tensor itself, or a new view of it, which requires a gradient if the
  /// saved one did.
  at::Tensor tensor(const nlohmann::json& reference) const;

 private:
  const at::Tensor& find(const std::string& name) const;

  std::unordered_map<std::string, at::Tensor> tensors_;
};

}  // namespace knead::engine::model
