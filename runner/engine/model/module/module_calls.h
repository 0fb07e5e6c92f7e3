#pragma once

#include <ATen/core/interned_strings.h>

namespace torch::jit {
struct Node;
}

namespace knead::engine::model {

/// The node kinds of a module call: that of LibTorch, and that of activation checkpointing,
/// "knead::call". Both hold the method name as an attribute and the module as first input.
inline const c10::Symbol kPlainCall = c10::prim::CallMethod;
c10::Symbol repeated_call();

/// Returns whether a node is a call of a module's forward, including its specialised variants such
/// as forward__2; false for calls of other methods.
bool calls_a_module(const torch::jit::Node& node);

}  // namespace knead::engine::model
