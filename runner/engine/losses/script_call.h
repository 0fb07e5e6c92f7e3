#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/batch/model_output.h"
#include "runner/engine/batch/samples.h"
#include "runner/engine/model/compile/script.h"
#include "schema/document/node.h"

namespace knead::engine {

/// A function of a recipe's, def NAME(output, batch), that gives a number for each item or one for
/// all.
class ScriptCall {
 public:
  /// `fields`: what `batch` holds. Throws as model::compile_script.
  ScriptCall(const schema::Node& code, const std::string& name,
             const std::vector<std::string>& fields);

  const std::vector<std::string>& fields() const { return fields_; }

  struct Result {
    at::Tensor sum;     // of all items; a scalar counts once for each sample
    double weight = 0;  // items
  };

  /// Throws syntax::Refusal at the recipe's line where the function fails; knead::Error where it
  /// gives no tensor of numbers.
  Result of(const Output& output, const Samples& samples);

 private:
  std::string name_;
  std::vector<std::string> fields_;
  model::Script script_;
};

}  // namespace knead::engine
