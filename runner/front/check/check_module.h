#pragma once

#include <string>

#include "runner/front/check/model_files.h"
#include "schema/document/problem.h"

namespace knead::front {

/// A class that may be a module, in the main file of a model.
struct CheckedModule {
  const ModelFiles& files;
  FoundClass found;
  bool is_built;            // the one that the recipe names
  const std::string& loss;  // the type of the recipe's
};

/// What a module must have: super().__init__(), methods with a parameter for the object; the one
/// that is built a forward, which leaves softmax to cross_entropy.
void check_module(const CheckedModule& module, schema::Problems& problems);

}  // namespace knead::front
