#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runner/engine/model/compile/torchscript.h"
#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// A TorchScript class shared by modules that are alike: the same Python class, constants,
/// parameters and children. Each has its own methods, because a method is compiled for the
/// constants that it reads.
struct ModuleClass {
  std::shared_ptr<Object> example;  // one of the modules; the others compile to the same code
  c10::ClassTypePtr type;
  std::map<std::string, std::string> methods;  // compiled methods: call key to name

  /// Returns the attribute names that lead from such a module to a module below it; null if
  /// `module` is not below it.
  const std::vector<std::string>* path_to(const Object* module);

 private:
  std::unordered_map<const Object*, std::vector<std::string>> paths_;
};

/// Returns a text that is equal for two constants if a method compiles to the same code for both.
/// The text contains the address for values that are shared by reference.
std::string constant_text(const Value& value);

/// A value of the evaluator as a TorchScript value, with its type.
struct TypedValue {
  c10::IValue value;
  c10::TypePtr type;
};

/// Maps the address of a list or dict to its converted value, so that shared containers stay
/// shared.
using SharedValues = std::map<const void*, TypedValue>;

/// Converts a value to TorchScript. Returns std::nullopt if TorchScript cannot represent it: an
/// empty list without `declared`, items of several types, functions. `declared` is the annotated
/// type and may be null.
std::optional<TypedValue> to_typed(const Value& value, const c10::TypePtr& declared,
                                   SharedValues& shared);

}  // namespace knead::engine::model
