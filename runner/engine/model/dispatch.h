#pragma once

#include <string>

#include <ATen/core/ivalue.h>

#include "runner/engine/model/value.h"

namespace knead::engine::model {

// LibTorch's operators, called by name without a table of ours: an overload is chosen by its schema
// as PyTorch's own argument parser would.

/// Whether there is an operator of that name that a model may call while it is built.
bool is_operator(const std::string& name);

/// Calls an operator. A method's tensor is the first positional argument. Throws Mistake where no
/// overload takes these arguments, or where building a model must not call it.
Value call_operator(const std::string& name, const Arguments& arguments);

/// The same for calls of our own.
at::Tensor call_for_tensor(const std::string& name, Values positional, NamedValues named = {});

/// The operator as a function value; `space` is what messages show before its name.
Value operator_named(const std::string& space, const std::string& name);

/// Why an operator may not be called in a model's source; empty if it may.
std::string_view refusal_of(const std::string& operator_name);

}  // namespace knead::engine::model
