#pragma once

#include <optional>
#include <string_view>

#include "recipe.h"

namespace knead::engine {

/// Returns the floating-point operations per second that a GPU can do with a precision, by NVIDIA's
/// data sheets: dense matrices, sums in float32, without sparsity, at the boost clock. `gpu` is the
/// name that the driver gives it. std::nullopt for a GPU that is not in the table, and for a
/// precision that the GPU has no unit for.
std::optional<double> known_peak(std::string_view gpu, recipe::Precision::Compute precision);

}  // namespace knead::engine
