#pragma once

#include <string>

#include "runner/front/check/signature.h"
#include "schema/document/problem.h"

namespace knead::front {

/// Refers to the map of a recipe that gives the arguments of a class.
struct GivenArguments {
  /// The map, borrowed; null if the recipe gives none.
  const schema::Node* map = nullptr;
  /// Path of the map in messages: "model.args".
  std::string path;
  /// Place at which a missing argument is reported.
  schema::Place place;
};

/// Compares the arguments in a recipe with the signature of a class. Adds a problem for an unknown
/// name, a missing argument, and a value that certainly does not fit the annotation. Descends into
/// dataclasses and lists. Adds nothing if only running the files would show the signature.
void check_arguments(const ModelFiles& files, const FoundClass& built, const GivenArguments& given,
                     schema::Problems& problems);

}  // namespace knead::front
