#pragma once

#include <string>
#include <string_view>

#include <ATen/core/function_schema.h>

namespace knead::engine::model {

// The operators of LibTorch that a model may call, while it is built and in compiled methods. They
// are allowed by rules, so an operator that no rule knows is refused:
// - a native operator: its schema is in LibTorch's dispatcher below aten::, and it computes with
//   tensors, numbers and the names of modes. Operators of PyTorch's own implementation (a name that
//   begins with '_', gradients, kernels of one library, unchecked memory) are left out.
// - an operator of TorchScript's language, such as aten::len of a list, from an explicit list, and
//   the primitives prim:: that the compiler emits, from another one.
// tests/fixtures/models/operators.txt holds the result for each operator of LibTorch 2.11.

/// Says why a model must not call an operator, and what to write instead.
struct OperatorRefusal {
  std::string_view why;
  std::string_view remedy;
};

/// Returns why a model must not call the native operators of this name; null if it may call one of
/// them, or LibTorch has none. `name` is without namespace: "mm".
const OperatorRefusal* refusal_of_native(std::string_view name);

/// Returns why a model must not call this overload; null if it may. An overload of an allowed name
/// is refused for a parameter that is not a number or a mode, such as the name of a file.
const OperatorRefusal* refusal_of(const c10::FunctionSchema& schema);

/// Returns why compiled methods must not contain a primitive of TorchScript, which has no schema;
/// null if they may. `name` is qualified: "prim::If".
const OperatorRefusal* refusal_of_primitive(std::string_view name);

/// Returns why only layers may call a native operator: it does not check an argument that its layer
/// checks, and would read other memory. Returns null for all other operators.
const OperatorRefusal* refusal_outside_layers(std::string_view name);

/// Returns the message of a refusal; `name` is what the source calls.
std::string refused_words(std::string_view name, const OperatorRefusal& refusal);

}  // namespace knead::engine::model
