#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/engine/model/lower/statics.h"
#include "runner/engine/model/lower/trees.h"
#include "runner/syntax/refusal.h"

namespace knead::engine::model {

/// Gives names to the values and types that a tree refers to, for example "@value 3". No source can
/// contain such a name; the resolver of the compiler looks it up. The implementation is Names of
/// compiler.h, one for each function that is compiled.
class References {
 public:
  virtual ~References() = default;

  /// Returns the name of a value that is known before the model runs. Each call makes a new name.
  virtual std::string refer(const Value& value) = 0;

  /// Returns the name of the type of an annotation; std::nullopt if the annotation has no
  /// TorchScript type. With `must_know` such an annotation is refused: throws syntax::Refusal at
  /// the annotation.
  virtual std::optional<std::string> refer_type(const syntax::Expression& annotation,
                                                const Statics& statics, bool must_know) = 0;

  /// Returns whether a tree can refer to a value. It cannot refer to, for example, lists, dicts and
  /// tensors, which the model may change, and modules that are reached neither from self nor from
  /// an argument.
  virtual bool can_refer(const Value& value) const = 0;

  /// Returns the text that stands for a function or a configuration object as an argument; no
  /// source can contain that text. The compiler takes the value back when it compiles the call.
  virtual std::string pass(const Value& value) = 0;

  /// Returns whether the annotation of the function's result is to be used.
  virtual bool believes_returns() const = 0;

  /// Returns the name of the type of a variable that is None first and something else later: an
  /// Optional, of Tensor unless an earlier try to compile the function has shown another type.
  virtual std::string type_of_absent(const std::string& variable) = 0;
};

/// A parameter of a function that is being compiled. A parameter that a specialisation fixes to a
/// constant is not listed.
struct LoweredParameter {
  std::string name;
  /// Name of the type, as References::refer_type() returns it; empty for self, whose type the
  /// emitter knows.
  std::string type;
  /// The default; std::nullopt if the argument is required.
  std::optional<Value> fallback;
};

/// Lowers the function of `statics` to a TorchScript tree under `name`. Known values become
/// constants, decided branches are left out, and loops over modules are unrolled. `source` is the
/// file that defines the function. Changes the known values of `statics`, so a second try needs a
/// copy of the first state. Throws syntax::Refusal at the user's line for source that TorchScript
/// cannot represent. Type errors are found later, by the emitter.
jit::Def lower(const std::string& name, const std::vector<LoweredParameter>& parameters,
               Statics& statics, References& references, std::shared_ptr<jit::Source> source);

}  // namespace knead::engine::model
