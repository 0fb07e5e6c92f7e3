#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {
namespace {

/// Implements constructors by data type: torch.Tensor(2, 3) takes sizes, torch.Tensor([1, 2]) takes
/// numbers.
BuiltinCall typed_tensor(c10::ScalarType dtype) {
  return [dtype](Evaluator&, const Arguments& arguments, syntax::Range) -> Value {
    const bool is_one = arguments.positional.size() == 1;
    if (is_one && is_tensor(arguments.positional[0])) {
      return std::get<at::Tensor>(arguments.positional[0]).to(dtype);
    }
    if (is_one && (sequence(arguments.positional[0]) || as<Array>(arguments.positional[0]))) {
      return tensor_of(arguments.positional[0], dtype);
    }
    std::vector<std::int64_t> sizes;
    for (const Value& value : arguments.positional) sizes.push_back(to_integer(value));
    if (sizes.empty()) sizes.push_back(0);
    return at::empty(sizes, dtype);
  };
}

Value make_device(Evaluator&, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("device", arguments, {"type", "index"}, 1);
  return Device{*to_device(to_text(bound[0], "a device"))};
}

/// Implements manual_seed() for the weights that __init__ draws afterwards.
Value seed_generator(Evaluator&, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("manual_seed", arguments, {"seed"}, 1);
  if (is_model_running()) {
    throw Mistake(
        "'manual_seed' cannot be called while the model runs: random numbers follow from "
        "the seed of the recipe",
        "take this line out");
  }
  auto generator = at::globalContext().defaultGenerator(at::Device(at::kCPU));
  generator.set_current_seed(static_cast<std::uint64_t>(to_integer(bound[0])));
  return None{};
}

}  // namespace

void add_types_of_torch(Evaluator& evaluator, Scope& names) {
  const auto tensor_type = make_type("Tensor", typed_tensor(c10::ScalarType::Float));
  add_tensor_methods(*tensor_type);
  evaluator.add_type(tensor_type);
  names.set("Tensor", tensor_type);
  using enum c10::ScalarType;
  for (const auto dtype : {Float, Double, Half, BFloat16, Byte, Char, Short, Int, Long, Bool}) {
    const std::string name = tensor_class_name(dtype);
    names.set(name.substr(name.rfind('.') + 1), make_builtin(name, typed_tensor(dtype)));
  }
  for (const std::string name : {"norm", "nonzero"}) {
    names.set(name, make_builtin("torch." + name,
                                 [method = *tensor_type->find(name)](Evaluator& caller,
                                                                     const Arguments& arguments,
                                                                     syntax::Range at) -> Value {
                                   return caller.call(method, arguments, at);
                                 }));
  }
  names.set("manual_seed", make_builtin("torch.manual_seed", seed_generator));
  names.set("Size", evaluator.type("tuple"));
  const auto device = make_type("torch.device", make_device);
  evaluator.add_type(device);
  names.set("device", device);
  const auto dtype = make_type("torch.dtype");
  evaluator.add_type(dtype);
  names.set("dtype", dtype);
}

}  // namespace knead::engine::model
