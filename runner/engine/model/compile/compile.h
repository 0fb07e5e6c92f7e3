#pragma once

#include <memory>

#include "runner/engine/model/module/model.h"
#include "runner/engine/model/python/evaluate.h"
#include "runner/syntax/refusal.h"

namespace torch::jit {
struct Module;
}

namespace knead::engine::model {

/// Refuses a model whose calls would be written out to too much code. To interpret them would take
/// as many steps.
struct EndlessCode : syntax::Refusal {
  using Refusal::Refusal;
};

/// Compiles forward of a module and, as far as forward reaches them, the methods of its submodules
/// and the functions of the file to TorchScript. The compiled model uses the tensors of `root`
/// itself, not copies. Reads no file and uses no random numbers. Throws syntax::Refusal at the
/// user's line for source that TorchScript cannot express, EndlessCode among them.
std::unique_ptr<Model> compile(const std::shared_ptr<Object>& root, Program& program);

/// Returns the TorchScript module of `root` with the tensors and submodules, which are those of the
/// objects, and without methods: for a model whose methods are not compiled. Attributes that
/// TorchScript cannot represent are left out.
torch::jit::Module assemble(const std::shared_ptr<Object>& root, Program& program);

/// Returns the place of the first return of forward, for messages about its value.
schema::Place returns_at(const std::shared_ptr<Object>& root, Program& program);

}  // namespace knead::engine::model
