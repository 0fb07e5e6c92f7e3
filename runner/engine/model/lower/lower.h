#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/engine/model/lower/statics.h"
#include "runner/engine/model/lower/trees.h"
#include "runner/syntax/refusal.h"

namespace knead::engine::model {

/// What a tree refers to by a name that no source can have: "@value 3". The resolver of names and
/// types knows what it stands for.
class References {
 public:
  virtual ~References() = default;

  /// A value that is known before the model runs.
  virtual std::string refer(const Value& value) = 0;

  /// The type that an annotation means; nothing where it says nothing to a compiler. `must_know`:
  /// an annotation that is not understood is refused.
  virtual std::optional<std::string> refer_type(const syntax::Expression& annotation,
                                                const Statics& statics, bool must_know) = 0;

  /// Whether a value can be said in a tree at all: a module of another tree cannot.
  virtual bool can_refer(const Value& value) const = 0;

  /// What a function or a configuration is given as where it is an argument: a text that no source
  /// can have.
  virtual std::string pass(const Value& value) = 0;

  /// The type of a variable that is None first and something else later.
  virtual std::string type_of_absent(const std::string& variable) = 0;
};

/// A parameter of a function that is to be compiled.
struct LoweredParameter {
  std::string name;
  std::string type;  // what References calls it; empty: self
  std::optional<Value> fallback;
};

/// A function as TorchScript's tree, under `name`. Throws syntax::Refusal for what TorchScript
/// cannot say.
jit::Def lower(const std::string& name, const std::vector<LoweredParameter>& parameters,
               Statics& statics, References& references, std::shared_ptr<jit::Source> source);

}  // namespace knead::engine::model
