#pragma once

#include <nlohmann/json.hpp>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::model {

/// State of a model that its methods change besides tensors of their own: counters, caches, lists.
/// It belongs to a checkpoint and not to a file of weights.
struct Attributes {
  nlohmann::json values = nlohmann::json::object();  // by name: "blocks.2.calls"
  NamedTensors tensors;  // tensors in the values, which hold their names
};

}  // namespace knead::engine::model
