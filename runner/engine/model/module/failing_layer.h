#pragma once

#include <optional>
#include <string>

#include "runner/engine/model/explain/failing_call.h"
#include "runner/engine/model/explain/run_error.h"
#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {

/// What an operator could not do, in terms of the model: the layer that called it by its path and
/// sizes, what it was given, what it takes. `cause`: LibTorch's own sentence, which stays where
/// there is nothing better.
Explanation explain(const FailingCall& call, const std::string& cause, const Model::Parts& parts);

/// What the recipe asks for and no kernel gives: the same bits each time under `deterministic`, a
/// layer in half precision on this processor. Nothing where the cause is another.
std::optional<Explanation> explain_missing_kernel(const std::string& cause);

/// The same where no operator failed: a condition, an unpacking.
Explanation explain(const std::string& cause);

}  // namespace knead::engine::model
