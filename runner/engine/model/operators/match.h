#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// The arguments in the order of the schema, with its defaults; nothing if they do not fit.
/// `converting` also takes what PyTorch converts: numbers for tensors, ints for floats.
std::optional<std::vector<c10::IValue>> match(const c10::FunctionSchema& schema,
                                              const Arguments& arguments, bool converting);

/// Whether the first argument could be that of the schema.
bool first_fits(const c10::FunctionSchema& schema, const Arguments& arguments);

/// "linear(Tensor input, Tensor weight, Tensor? bias=None)".
std::string signature(const c10::FunctionSchema& schema);

/// Results of an operator as values.
Value to_value(const c10::IValue& value);
Value to_value_of_many(const std::vector<c10::IValue>& values);

}  // namespace knead::engine::model
