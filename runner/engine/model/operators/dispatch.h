#pragma once

#include <string>

#include <c10/util/Exception.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

// Calls LibTorch operators by name. No table is kept: an overload is chosen by its schema, as the
// argument parser of PyTorch chooses it. permission.h says which operators a model may call.
// Overloads that write to `out=` are left out.

/// Returns whether an operator of this name exists or is refused for a known reason, for example
/// "manual_seed".
bool is_operator(const std::string& name);

/// Calls an operator; the tensor of a method is the first positional argument. `name` must satisfy
/// is_operator(). Several results become a tuple, no result None. Random operators use LibTorch's
/// default generator. Throws Mistake if no overload takes these arguments or a model must not call
/// the operator, and if memory is short (see count_memory()); c10::Error if the operator itself
/// fails, as for shapes that do not fit.
Value call_operator(const std::string& name, const Arguments& arguments);

/// Returns the operator as a function value; messages show `space` before its name: "torch.relu".
/// `name` must satisfy is_operator().
Value operator_named(const std::string& space, const std::string& name);

/// Returns the message of a LibTorch error without its source location; a failed allocation is
/// stated in bytes.
std::string words_of(const c10::Error& error);

}  // namespace knead::engine::model
