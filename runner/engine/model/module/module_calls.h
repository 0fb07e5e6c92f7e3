#pragma once

#include <ATen/core/interned_strings.h>

namespace torch::jit {
struct Node;
}

namespace knead::engine::model {

/// A call of a module as LibTorch has it, and one whose inner activations are computed once more in
/// backward. Both have the name of the method as their attribute, and the module as first input.
inline const c10::Symbol kPlainCall = c10::prim::CallMethod;
c10::Symbol repeated_call();

/// Whether a node is one of them, of a method that stands for forward.
bool calls_a_module(const torch::jit::Node& node);

}  // namespace knead::engine::model
