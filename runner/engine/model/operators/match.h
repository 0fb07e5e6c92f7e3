#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Converts the arguments to the order of the schema and fills in its defaults. Returns
/// std::nullopt if they do not fit. With `converting`, numbers are also accepted for tensors and
/// ints for floats, as in PyTorch.
std::optional<std::vector<c10::IValue>> match(const c10::FunctionSchema& schema,
                                              const Arguments& arguments, bool converting);

/// Returns whether the first positional argument fits the first parameter of the schema.
bool first_fits(const c10::FunctionSchema& schema, const Arguments& arguments);

/// Returns the signature for messages: "linear(Tensor input, Tensor weight, Tensor? bias=None)".
std::string signature(const c10::FunctionSchema& schema);

/// Convert results of an operator to values; a list becomes a tuple, as in PyTorch. Throw Mistake
/// for a type that values do not have.
Value to_value(const c10::IValue& value);
Value to_value_of_many(const std::vector<c10::IValue>& values);

}  // namespace knead::engine::model
