#pragma once

#include <optional>
#include <string>

#include <c10/core/ScalarType.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Converts torch.float32 or one of the types float, int and bool to a dtype: float is float64 and
/// int is int64, as in PyTorch. Returns std::nullopt for any other value, None included.
std::optional<c10::ScalarType> to_dtype(const Value& value);

/// Returns the name of a dtype without prefix: "float32".
std::string dtype_name(c10::ScalarType type);

/// Return the class of tensors of a dtype, "torch.FloatTensor", and the dtype of a class, also of
/// one for a GPU, "torch.cuda.FloatTensor"; std::nullopt for any other name.
std::string tensor_class_name(c10::ScalarType type);
std::optional<c10::ScalarType> dtype_of_class(const std::string& name);

}  // namespace knead::engine::model
