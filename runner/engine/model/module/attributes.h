#pragma once

#include <nlohmann/json.hpp>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::model {

/// State of a model that its methods change besides tensors of their own: counters, caches, lists.
/// It belongs to a checkpoint and not to a file of weights. Model::attributes() makes it, and
/// Model::set_attributes() of an equal model puts it back.
struct Attributes {
  /// Values by name, "blocks.2.calls". A dict is the list key, value, key, …; an infinity or NaN is
  /// a text; a tensor is a reference of tensor_references.h.
  nlohmann::json values = nlohmann::json::object();
  /// Tensors in the values that are neither parameters nor buffers; contiguous and detached. The
  /// values hold their names.
  NamedTensors tensors;
};

}  // namespace knead::engine::model
