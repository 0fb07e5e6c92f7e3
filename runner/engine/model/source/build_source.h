#pragma once

#include <memory>

#include "runner/engine/model/module/model.h"
#include "runner/engine/model/python/evaluate.h"

namespace knead::engine::model {

/// Reads a source file, runs __init__ of the requested class and compiles the object. A model whose
/// methods TorchScript cannot express is interpreted: the evaluator runs its forward, with the
/// numbers that PyTorch computes, and warnings() gives the reason. The initial weights come from
/// LibTorch's default generator, which the caller seeds before. Throws as evaluate() does; errors
/// of an interpreted forward are thrown when it runs.
std::unique_ptr<Model> build_source(const Request& request);

/// Do the same one way only: throw the reason if the model cannot be compiled, or interpret it
/// without a try.
std::unique_ptr<Model> compile_source(const Request& request);
std::unique_ptr<Model> interpret_source(const Request& request);

}  // namespace knead::engine::model
