#include "runner/engine/model/einops/call_arguments.h"

#include <fmt/format.h>

#include "runner/engine/model/values/call_binding.h"

namespace knead::engine::model::einops {

CallArguments bind_arguments(const std::string& function, const syntax::ArgumentShape& shape) {
  std::vector<syntax::ParameterShape> parameters = {{.name = "tensor"}, {.name = "pattern"}};
  const bool reduces = function == "reduce";
  if (reduces) parameters.push_back({.name = "reduction"});
  parameters.push_back({.name = "axes_lengths", .kind = syntax::Parameter::Kind::keywords});
  const syntax::Binding binding = syntax::bind_call(parameters, shape);
  if (const auto* fault = std::get_if<syntax::Fault>(&binding)) throw wrong_call(function, *fault);
  const auto& slots = std::get<std::vector<syntax::Slot>>(binding);
  CallArguments bound{slots[0], slots[1], {}, {}};
  if (reduces) bound.reduction = slots[2];
  bound.lengths = std::get<syntax::RestOfKeywords>(slots.back()).indices;
  return bound;
}

void refuse_unknown_pattern(const std::string& function) {
  throw Mistake(fmt::format("the pattern of {}() is known only while the model runs", function),
                "write it as a text in the call, or keep it in an attribute in __init__");
}

}  // namespace knead::engine::model::einops
