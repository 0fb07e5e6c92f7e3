#pragma once

#include <string>

#include "runner/front/check/model_files.h"
#include "schema/document/problem.h"

namespace knead::front {

/// Refers to a class in the main file of a model that may be a module.
struct CheckedModule {
  const ModelFiles& files;
  FoundClass found;
  /// It is the class that the recipe builds. Only its mistakes can be errors; those of other
  /// classes, which may never be used, are warnings.
  bool is_built;
  /// loss.type of the recipe; empty if not certain.
  const std::string& loss;
};

/// Checks that a module calls super().__init__() and that its methods have a parameter for the
/// object. The class that the recipe builds must have a forward, which must not return a softmax to
/// cross_entropy. Adds the problems found.
void check_module(const CheckedModule& module, schema::Problems& problems);

}  // namespace knead::front
