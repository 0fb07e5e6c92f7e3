#pragma once

#include <string>

#include "runner/front/check/signature.h"
#include "schema/document/problem.h"

namespace knead::front {

/// A map of a recipe that a class is built with.
struct GivenArguments {
  const schema::Node* map = nullptr;  // null: none are given
  std::string path;                   // "model.args"
  schema::Place place;                // where one that is missing is to be reported
};

/// Holds what a recipe gives against what a class takes: names, those that are missing, types where
/// an annotation tells and the value certainly is another. Adds what is wrong.
void check_arguments(const ModelFiles& files, const FoundClass& built, const GivenArguments& given,
                     schema::Problems& problems);

}  // namespace knead::front
