#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/batch/model_output.h"
#include "runner/engine/batch/samples.h"
#include "runner/engine/model/compile/script.h"
#include "schema/document/node.h"

namespace knead::engine {

/// Calls a function that a recipe defines, def NAME(output, batch), which returns a number for each
/// item or one scalar. `output` is what model.output selects: a tensor, or any value if the
/// function annotates another type; `batch` maps names to tensors (samples, …). Used by losses and
/// metrics, by one thread.
class ScriptCall {
 public:
  /// Compiles the function. `fields`: the keys of `batch`, which must be fields of each Samples.
  /// Throws syntax::Refusal or knead::Error as model::compile_script().
  ScriptCall(const schema::Node& code, const std::string& name,
             const std::vector<std::string>& fields);

  /// Returns the keys of `batch`.
  const std::vector<std::string>& fields() const { return fields_; }

  /// Holds the returned numbers as a sum and their count.
  struct Result {
    /// Holds the sum over the items as a scalar; a scalar that was returned is multiplied by the
    /// samples.
    at::Tensor sum;
    /// Holds the number of items; for a scalar the number of samples.
    double weight = 0;
  };

  /// Calls the function with the fields on the device. Throws syntax::Refusal at the recipe's line
  /// if the function fails; knead::Error if it does not return a tensor of floating-point numbers.
  Result of(const Output& output, const Samples& samples);

 private:
  std::string name_;
  std::vector<std::string> fields_;
  model::Script script_;
};

}  // namespace knead::engine
