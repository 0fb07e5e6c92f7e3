#pragma once

#include <optional>
#include <string>

#include "runner/engine/model/explain/failing_call.h"
#include "runner/engine/model/explain/run_error.h"
#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {

/// Explains a failing operator call in terms of the model: the path and sizes of the layer, the
/// shape that it was given and the shape that it takes. The layer is the one whose weights are
/// among the inputs. Keeps `cause`, LibTorch's message, if there is no better explanation. Reads
/// numbers of a tensor only to name a row that an embedding lacks.
Explanation explain(const FailingCall& call, const std::string& cause, const Model::Parts& parts);

/// Explains a cause that a key of the recipe can mend, whatever the layer: a batch norm that is
/// given one sample, or a kernel that is missing, a deterministic one or one for half precision on
/// this processor. The remedy names the key. Returns std::nullopt for any other cause.
std::optional<Explanation> explain_in_any_layer(const std::string& cause);

/// Explains an error of forward in which no operator failed, such as an unpacking; keeps `cause`
/// otherwise.
Explanation explain(const std::string& cause);

}  // namespace knead::engine::model
