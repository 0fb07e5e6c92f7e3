#pragma once

#include <string>

#include <c10/util/Exception.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

// LibTorch's operators, called by name without a table of ours: an overload is chosen by its schema
// as PyTorch's own argument parser would.

/// Whether there is an operator of that name that a model may call while it is built.
bool is_operator(const std::string& name);

/// Calls an operator. A method's tensor is the first positional argument. Throws Mistake where no
/// overload takes these arguments, or where building a model must not call it.
Value call_operator(const std::string& name, const Arguments& arguments);

/// The operator as a function value; `space` is what messages show before its name.
Value operator_named(const std::string& space, const std::string& name);

/// What LibTorch says, without where in LibTorch that was.
std::string words_of(const c10::Error& error);

}  // namespace knead::engine::model
