#pragma once

#include <optional>

#include <ATen/core/ivalue.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Converts what forward returned for the rest of the program: tensors, numbers, texts, None, and
/// tuples, lists and dicts of them. A NamedTuple becomes a tuple with the names of its fields, any
/// other object with fields a dict of those that are not None. Throws Mistake for other values.
c10::IValue to_result(const Value& value);

/// Converts an attribute for a checkpoint. Returns std::nullopt for a value whose type a checkpoint
/// cannot name: an object, a list of several types.
std::optional<c10::IValue> to_kept(const Value& value);

/// Converts a value that to_kept() or a recipe gave: lists stay lists and dicts stay dicts.
Value to_python(const c10::IValue& value);

}  // namespace knead::engine::model
