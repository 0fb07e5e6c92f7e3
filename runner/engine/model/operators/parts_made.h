#pragma once

#include <cstdint>
#include <string_view>

#include <ATen/core/ivalue.h>

namespace knead::engine::model {

/// Limits the tensors that one call makes. Each takes about a kilobyte with its gradient's node,
/// however few numbers it has.
inline constexpr std::int64_t kMostParts = 300'000;

/// Returns into how many tensors a call divides its first argument, before it does: for unbind(),
/// split(), chunk() and their relatives; 0 for all other operators, and for arguments that the
/// operator refuses. `name` is without namespace; `inputs` are those of the operator's schema.
std::int64_t parts_made(std::string_view name, c10::ArrayRef<c10::IValue> inputs);

}  // namespace knead::engine::model
