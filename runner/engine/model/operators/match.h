#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Converts the arguments to the order of the schema and fills in its defaults: the stack for a
/// boxed call. Returns std::nullopt if they do not fit. With `converting`, numbers are also
/// accepted for tensors, ints for floats and tensors without dimensions for numbers, as in PyTorch.
/// Sizes may be given one by one, and self and dim also as `input` and `axis`. Throws Mistake for a
/// device other than the CPU.
std::optional<std::vector<c10::IValue>> match(const c10::FunctionSchema& schema,
                                              const Arguments& arguments, bool converting);

/// Returns whether the first positional argument fits the first parameter of the schema, with
/// conversion. A message lists these overloads first.
bool first_fits(const c10::FunctionSchema& schema, const Arguments& arguments);

/// Returns the signature for messages: "linear(Tensor input, Tensor weight, Tensor? bias=None)".
/// Parameters that a model does not need, such as the device, are left out.
std::string signature(const c10::FunctionSchema& schema);

/// Convert results of an operator to values; a list becomes a tuple, as in PyTorch. Throw Mistake
/// for a type that values do not have.
Value to_value(const c10::IValue& value);
Value to_value_of_many(const std::vector<c10::IValue>& values);

}  // namespace knead::engine::model
