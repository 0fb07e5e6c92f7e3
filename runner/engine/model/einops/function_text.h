#pragma once

#include <map>
#include <string>
#include <vector>

#include "runner/engine/model/einops/plan.h"

namespace knead::engine::model::einops {

/// What is known of a call when its function is compiled.
struct CallForm {
  /// The argument is a list of tensors, which are stacked first.
  bool takes_list = false;
  /// The lengths that are constants, by the name of their axis. The others are arguments.
  std::map<std::string, std::int64_t> constants;
};

/// Returns the function of TorchScript that computes a plan, as source text: checks of the shape,
/// then the steps of einops, without a step that changes nothing. Its name is `transform`; its
/// arguments are the tensor, or the list of tensors, and the lengths that are not constants, in
/// the order of Plan::axes. It raises EinopsError with the sentences of plan.h. Throws Mistake for
/// a constant length of 0 that a dimension would be divided by.
std::string function_text(const Plan& plan, const CallForm& form);

/// Returns the axes whose lengths are arguments of the function, in the order of the arguments.
std::vector<AxisIndex> arguments_of(const Plan& plan, const CallForm& form);

}  // namespace knead::engine::model::einops
