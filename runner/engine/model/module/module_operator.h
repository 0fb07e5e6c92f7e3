#pragma once

#include <memory>
#include <string>

#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/module/segment.h"

namespace knead::engine::model {

// The operator knead::call takes the place of module calls that do more than LibTorch's: those with
// activation checkpointing, and those of the units of a divided model.

/// Makes the calls of a module object repeatable: run_repeatably() runs them.
void set_repeated(const void* object, std::shared_ptr<const RepeatedModule> module);
/// Makes no calls repeatable.
void clear_repeated();

/// Changes the calls of repeated modules and units to the operator.
void use_module_operator(Model::Parts& parts);
/// Changes all calls back to plain ones, which an archive can hold.
void use_plain_calls(Model::Parts& parts);

/// Returns the submodule at a dotted path.
torch::jit::Module module_at(const torch::jit::Module& root, const std::string& path);

/// Throws the reason why a model is not compiled, as the reason why something cannot be done.
[[noreturn]] void throw_needs_compiler(const Model::Parts& parts, const std::string& what);

}  // namespace knead::engine::model
