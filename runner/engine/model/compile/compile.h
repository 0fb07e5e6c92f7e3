#pragma once

#include <memory>

#include "runner/engine/model/module/model.h"
#include "runner/engine/model/python/evaluate.h"

namespace knead::engine::model {

/// Compiles forward of a module and, as far as forward reaches them, the methods of its submodules
/// and the functions of the file to TorchScript. The compiled model uses the tensors of `root`
/// itself, not copies. Reads no file and uses no random numbers. Throws syntax::Refusal at the
/// user's line for source that TorchScript cannot express.
std::unique_ptr<Model> compile(const std::shared_ptr<Object>& root, Program& program);

/// Reads a source file, runs __init__ of the requested class and compiles the object. The initial
/// weights come from LibTorch's default generator, which the caller seeds before. Throws as
/// evaluate() and compile() do.
std::unique_ptr<Model> build_source(const Request& request);

}  // namespace knead::engine::model
