#pragma once

#include <memory>

#include "runner/engine/model/module/model.h"
#include "runner/engine/model/python/evaluate.h"

namespace knead::engine::model {

/// Compiles the methods of a module and of its submodules to TorchScript. The compiled model uses
/// the tensors of `root` itself, not copies. Throws syntax::Refusal at the user's line.
std::unique_ptr<Model> compile(const std::shared_ptr<Object>& root, Program& program);

/// Reads a source file, runs __init__ of the requested class and compiles the object. The initial
/// weights come from LibTorch's default generator, which the caller seeds before. Throws as
/// evaluate() and compile() do.
std::unique_ptr<Model> build_source(const Request& request);

}  // namespace knead::engine::model
