#pragma once

#include <memory>

#include "runner/engine/model/module/model.h"
#include "runner/engine/model/python/evaluate.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/values/program.h"
#include "runner/syntax/refusal.h"

namespace knead::engine::model {

/// A model as __init__ left it, with what runs its methods.
struct Evaluated {
  explicit Evaluated(const Request& request);

  Program program;
  Evaluator evaluator;
  std::shared_ptr<Object> root;
};

/// Returns a model whose forward is run by the evaluator. `reason` says why it is not compiled.
/// Throws `reason` itself if a recipe cannot call this forward: it has none, or `*args`.
std::unique_ptr<Model> interpret(std::unique_ptr<Evaluated> made, const syntax::Refusal& reason);

}  // namespace knead::engine::model
