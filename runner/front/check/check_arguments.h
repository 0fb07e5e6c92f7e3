#pragma once

#include <string>

#include "runner/front/check/signature.h"
#include "schema/document/problem.h"

namespace knead::front {

/// Refers to the map of a recipe that gives the arguments of a class.
struct GivenArguments {
  const schema::Node* map = nullptr;  // null if the recipe gives none
  std::string path;                   // "model.args"
  schema::Place place;                // the place at which a missing argument is reported
};

/// Compares the arguments in a recipe with the signature of a class. Adds a problem for an unknown
/// name, a missing argument, and a value that certainly does not fit the annotation.
void check_arguments(const ModelFiles& files, const FoundClass& built, const GivenArguments& given,
                     schema::Problems& problems);

}  // namespace knead::front
