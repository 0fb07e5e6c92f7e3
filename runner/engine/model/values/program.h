#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// What is known of a model when it is built, for the Compiler, which computes with the same
/// values. The program must live until every module is compiled; a finished Model keeps the texts
/// itself.
struct Program {
  /// All files of the model with their values, including the layer files. The evaluator appends
  /// each file when it begins to run it; functions, classes and a Compiler refer to the files by
  /// address.
  std::vector<std::unique_ptr<FileValues>> files;
  /// Built-in classes by the name that type_name() returns.
  std::map<std::string, std::shared_ptr<Class>> types;
};

}  // namespace knead::engine::model
