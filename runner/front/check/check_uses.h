#pragma once

#include <functional>
#include <set>
#include <string>

#include "runner/front/check/layers.h"
#include "runner/front/check/model_files.h"
#include "runner/syntax/names/unknown_names.h"
#include "schema/document/problem.h"

namespace knead::front {

/// Refers to the names and calls that a function of a model's main file uses.
struct UsesOf {
  const ModelFiles& files;
  const syntax::Reading& reading;
  /// Returns the severity of a mistake in this function; `is_certain` tells whether a call of the
  /// function certainly reaches it.
  std::function<schema::Severity(bool is_certain)> severity;
  /// Names of packages that models do not have which are reported already; each is one mistake.
  std::set<std::string>& foreign;
};

/// Adds a problem for each use of a name that torch.nn does not have, and for each layer or class
/// of the model's files that is made with wrong arguments. Follows the imports of the file (`nn`,
/// `torch.nn`) and leaves out names that the function binds itself.
void check_uses(const UsesOf& uses, schema::Problems& problems);

}  // namespace knead::front
