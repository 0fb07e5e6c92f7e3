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
/// parameters and children. Each class has its own methods, because a method is compiled for the
/// constants that it reads. Blocks of equal configuration therefore share compiled code, and a
/// method is compiled once for all of them.
struct ModuleClass {
  /// One of the modules, whose constants the methods contain; the others compile to the same code.
  std::shared_ptr<Object> example;
  c10::ClassTypePtr type;
  std::map<std::string, std::string> methods;  // compiled methods: call key to name

  /// Returns the attribute names that lead from `example` to a module below it: {"blocks", "0"}.
  /// Empty for the example itself; null if `module` is not below it. A module with several names
  /// has one of them. The first call collects the paths of all submodules, so they must be complete
  /// by then.
  const std::vector<std::string>* path_to(const Object* module);

 private:
  std::unordered_map<const Object*, std::vector<std::string>> paths_;
};

/// Returns a text that is equal for two constants if a method compiles to the same code for both.
/// Floats are equal to the last bit. The text contains the address for values that are shared by
/// reference, so it is valid only while they live.
std::string constant_text(const Value& value);

/// A value of the evaluator as a TorchScript value, with its type. The type says more than the
/// value: an empty list has an element type, and None may have an Optional type.
struct TypedValue {
  c10::IValue value;
  c10::TypePtr type;
};

/// Maps the address of a list or dict to its converted value, so that shared containers stay
/// shared. The lists and dicts must live as long as the map.
using SharedValues = std::map<const void*, TypedValue>;

/// Converts a value to TorchScript. Returns std::nullopt if TorchScript cannot represent it: an
/// empty list without `declared`, items of several types, a dict whose keys are tuples, functions,
/// modules, sets. `declared` is the annotated type and may be null; it widens the type of the value
/// (Optional, float for an int). The items of a list or dict must fit it; for any other value that
/// does not fit, it is ignored. A tensor is shared and not copied; a list or dict is copied once
/// and found in `shared` afterwards.
std::optional<TypedValue> to_typed(const Value& value, const c10::TypePtr& declared,
                                   SharedValues& shared);

}  // namespace knead::engine::model
