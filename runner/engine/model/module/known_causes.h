#pragma once

#include <optional>
#include <string>

#include "runner/engine/model/explain/run_error.h"

namespace knead::engine::model {

/// Explains a cause that is the same whatever the layer: a batch norm that is given one sample, a
/// kernel that is missing, a deterministic one or one for half precision on this processor, or
/// tensors on two devices. Returns std::nullopt for any other cause.
std::optional<Explanation> explain_in_any_layer(const std::string& cause);

/// Explains an error of forward in which no operator failed, such as an unpacking; keeps `cause`
/// otherwise.
Explanation explain(const std::string& cause);

}  // namespace knead::engine::model
