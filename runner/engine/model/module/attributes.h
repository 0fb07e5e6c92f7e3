#pragma once

#include <nlohmann/json.hpp>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::model {

/// What the methods of a model change besides its tensors: counters, caches, lists. It is state of
/// a run, and belongs to no file of weights.
struct Attributes {
  nlohmann::json values = nlohmann::json::object();  // by name: "blocks.2.calls"
  NamedTensors tensors;  // those in it; where one stands, `values` has its name here
};

}  // namespace knead::engine::model
