#pragma once

#include <memory>

#include "runner/engine/model/evaluate.h"
#include "runner/engine/model/model.h"

namespace knead::engine::model {

/// Compiles a module's methods, and those of its submodules, to TorchScript. The tensors of the
/// object become the module's own. Throws syntax::Refusal at the user's line.
std::unique_ptr<Model> compile(const Object& root, std::shared_ptr<Program> program);

}  // namespace knead::engine::model
