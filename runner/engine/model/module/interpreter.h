#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ATen/core/ivalue.h>

#include "runner/engine/model/module/anatomy.h"
#include "runner/syntax/refusal.h"

namespace knead::engine::model {

/// Returns the type of an attribute that is a dtype: a tuple of its number. TorchScript takes a
/// dtype for an int.
c10::TupleTypePtr dtype_type();

/// Runs forward of a model that TorchScript cannot express. The modules of the model hold the
/// tensors, as those of a compiled one do; their other attributes are values of the interpreter.
class Interpreter {
 public:
  virtual ~Interpreter() = default;

  /// Returns what stands in the way of the compiler.
  virtual const syntax::Refusal& reason() const = 0;

  /// Returns whether the class of a module has a forward.
  virtual bool has_forward(const c10::ivalue::Object& module) const = 0;
  /// Reports the calls of modules, as Model::watch() does, by their places in `places`. Both must
  /// outlive the calls.
  virtual void watch(Watcher& watcher, const ModulePlaces& places) = 0;

  /// Returns the attributes that methods assign or change in place and that methods read, by dotted
  /// name: numbers, texts, tensors, devices, dtypes (of dtype_type()), and lists, tuples and dicts
  /// of all but dtypes. Throws knead::Error for a value of another type that __init__ did not
  /// leave.
  using Attribute = std::pair<std::string, c10::IValue>;
  virtual std::vector<Attribute> attributes() const = 0;
  /// Replaces those attributes; removes the ones that are not given.
  virtual void set_attributes(const std::vector<Attribute>& attributes) = 0;
};

}  // namespace knead::engine::model
