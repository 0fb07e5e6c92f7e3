#pragma once

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

}  // namespace knead::engine::model
