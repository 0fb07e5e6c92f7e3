#pragma once

#include <c10/core/GradMode.h>

#include "runner/engine/model/module/model.h"

namespace knead::engine::model {

/// Puts a model into evaluation mode, without gradients, during its lifetime. The destructor
/// restores its buffers and attributes and train mode, so that an evaluation does not change
/// training.
class Evaluating {
 public:
  explicit Evaluating(Model& model) : model_(model), backup_(model.backup()) {
    model_.train(false);
  }
  ~Evaluating() {
    backup_.restore();
    model_.train(true);
  }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  Model& model_;
  Backup backup_;
  c10::NoGradGuard no_gradients_;
};

}  // namespace knead::engine::model
