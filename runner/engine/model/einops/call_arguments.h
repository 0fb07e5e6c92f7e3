#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runner/syntax/binding/bind_call.h"

namespace knead::engine::model::einops {

/// States which arguments of a call of rearrange(), repeat() or reduce() are what.
struct CallArguments {
  syntax::Slot tensor;
  syntax::Slot pattern;
  std::optional<syntax::Slot> reduction;  // reduce() only
  std::vector<std::size_t> lengths;       // places of the lengths in ArgumentShape::keywords
};

/// Binds the arguments by Python's rules of calls. `function` is "rearrange", "repeat" or "reduce".
/// Throws Mistake in Python's words if they do not fit.
CallArguments bind_arguments(const std::string& function, const syntax::ArgumentShape& shape);

/// Throws the mistake of a pattern that is known only while the model runs.
[[noreturn]] void refuse_unknown_pattern(const std::string& function);

}  // namespace knead::engine::model::einops
