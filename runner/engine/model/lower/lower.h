#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/engine/model/lower/statics.h"
#include "runner/engine/model/lower/trees.h"
#include "runner/syntax/refusal.h"

namespace knead::engine::model {

/// Gives names to the values and types that a tree refers to, for example "@value 3". No source can
/// contain such a name; the resolver of the compiler looks it up.
class References {
 public:
  virtual ~References() = default;

  /// Returns the name of a value that is known before the model runs.
  virtual std::string refer(const Value& value) = 0;

  /// Returns the name of the type of an annotation; std::nullopt if the annotation has no
  /// TorchScript type. With `must_know` such an annotation is refused.
  virtual std::optional<std::string> refer_type(const syntax::Expression& annotation,
                                                const Statics& statics, bool must_know) = 0;

  /// Returns whether a tree can refer to a value; a module outside this model is an example of a
  /// value that it cannot refer to.
  virtual bool can_refer(const Value& value) const = 0;

  /// Returns the text that stands for a function or a configuration object as an argument; no
  /// source can contain that text.
  virtual std::string pass(const Value& value) = 0;

  /// Returns the name of the type of a variable that is None first and something else later.
  virtual std::string type_of_absent(const std::string& variable) = 0;
};

/// A parameter of a function that is being compiled.
struct LoweredParameter {
  std::string name;
  std::string type;               // a name of References; empty for self
  std::optional<Value> fallback;  // the default; std::nullopt if the argument is required
};

/// Lowers a function to a TorchScript tree under `name`. Known values become constants, decided
/// branches are left out, and loops over modules are unrolled. Throws syntax::Refusal for source
/// that TorchScript cannot represent.
jit::Def lower(const std::string& name, const std::vector<LoweredParameter>& parameters,
               Statics& statics, References& references, std::shared_ptr<jit::Source> source);

}  // namespace knead::engine::model
