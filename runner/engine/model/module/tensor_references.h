#pragma once

#include <string>
#include <unordered_map>
#include <utility>

#include <nlohmann/json.hpp>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::model {

// How a checkpoint says which tensor stands in a list: "rnn.weight_ih_l0" for one that the model
// has under this name, {"view_of": "table", "sizes": …, "strides": …, "offset": …} for a view of
// one. What is one tensor when it is saved is one tensor when it is read.

/// Writes references. A tensor that has no name yet is kept under one of its own.
class TensorWriter {
 public:
  /// `known`: tensors that are saved elsewhere, by their names.
  explicit TensorWriter(NamedTensors known) : known_(std::move(known)) {}

  /// `name`: what the tensor is called where it is no other and no view of one.
  nlohmann::json reference(const at::Tensor& tensor, const std::string& name);

  /// The tensors that were given their own names, without gaps and detached.
  NamedTensors take() { return std::move(own_); }

 private:
  NamedTensors known_;
  NamedTensors own_;
};

/// Finds what references stand for. Throws knead::Error for a tensor that neither list has.
class TensorReader {
 public:
  /// `known`: as it was for the writer, in the model that reads. `own`: what take() gave, copied
  /// once each.
  TensorReader(const NamedTensors& known, const NamedTensors& own);

  at::Tensor tensor(const nlohmann::json& reference) const;

 private:
  const at::Tensor& find(const std::string& name) const;

  std::unordered_map<std::string, at::Tensor> tensors_;
};

}  // namespace knead::engine::model
