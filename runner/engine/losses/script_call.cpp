#include "runner/engine/losses/script_call.h"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine {

ScriptCall::ScriptCall(const schema::Node& code, const std::string& name,
                       const std::vector<std::string>& fields)
    : name_(name), fields_(fields), script_(model::compile_script(code, name)) {}

ScriptCall::Result ScriptCall::of(const Output& output, const Samples& samples) {
  c10::Dict<std::string, at::Tensor> batch;
  for (const std::string& field : fields_) batch.insert(field, samples.on_device(field));
  // The annotation decides and not the value, so that an output that is not a tensor is refused
  // with a hint to model.output.
  const c10::IValue given = script_.takes_tensor ? c10::IValue(output.tensor()) : output.value();
  const c10::IValue returned = script_.function->forward({given, batch});
  if (!returned.isTensor())
    throw Error(
        fmt::format("the function '{}' of the recipe gives a value of type {}, not a tensor", name_,
                    returned.type()->annotation_str()),
        "let it return a Tensor: a number for each item, or their mean");
  const at::Tensor numbers = returned.toTensor();
  if (!at::isFloatingType(numbers.scalar_type()))
    throw Error(fmt::format("the function '{}' of the recipe gives numbers of {}", name_,
                            dtype_words(numbers.scalar_type())),
                "write .float() behind them");
  if (numbers.dim() > 0) return {numbers.sum(), static_cast<double>(numbers.numel())};
  // A scalar is a mean: it counts once for each sample.
  const auto count = static_cast<double>(samples.count);
  return {numbers.mul(count), count};
}

}  // namespace knead::engine
