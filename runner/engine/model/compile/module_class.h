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

/// A class of TorchScript for modules that are alike: of one class of the source, with the same
/// constants, the same parameters and children. Each has methods of its own, because a method is
/// compiled for the constants it sees.
struct ModuleClass {
  std::shared_ptr<Object> example;  // one of those modules; all look like it to a method
  c10::ClassTypePtr type;
  std::map<std::string, std::string> methods;  // what was compiled: the key of a call, its name

  /// The names that lead from such a module to one below it; nothing if it is not below it.
  const std::vector<std::string>* path_to(const Object* module);

 private:
  std::unordered_map<const Object*, std::vector<std::string>> paths_;
};

/// What a constant is, as far as a method can see: the same text, the same code. Of what is shared
/// the address counts.
std::string constant_text(const Value& value);

/// A value of the evaluator's as one of TorchScript's, and its type.
struct TypedValue {
  c10::IValue value;
  c10::TypePtr type;
};

/// Lists and dicts that are one in the source stay one.
using SharedValues = std::map<const void*, TypedValue>;

/// Nothing where TorchScript has no such value: an empty list without `declared`, items of several
/// types, functions. `declared` may be null.
std::optional<TypedValue> to_typed(const Value& value, const c10::TypePtr& declared,
                                   SharedValues& shared);

}  // namespace knead::engine::model
