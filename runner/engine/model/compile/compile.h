#pragma once

#include <memory>

#include "runner/engine/model/module/model.h"
#include "runner/engine/model/python/evaluate.h"

namespace knead::engine::model {

/// Compiles a module's methods, and those of its submodules, to TorchScript. The tensors of the
/// object become the module's own. Throws syntax::Refusal at the user's line.
std::unique_ptr<Model> compile(const std::shared_ptr<Object>& root, Program& program);

/// Reads a source file, makes the class's object and compiles it. Its initial weights come from
/// LibTorch's default generator, which the caller has seeded.
std::unique_ptr<Model> build_source(const Request& request);

}  // namespace knead::engine::model
