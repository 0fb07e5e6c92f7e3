#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Holds the files and classes of a model that is built. The Compiler reads it, because it computes
/// with the same values as the evaluator. The program must live until every module is compiled; a
/// finished Model keeps the texts itself.
struct Program {
  /// All files of the model with their values, including the layer files. The evaluator appends
  /// each file when it begins to run it; functions, classes and a Compiler refer to the files by
  /// address.
  std::vector<std::unique_ptr<FileValues>> files;
  /// Built-in classes by the name that type_name() returns.
  std::map<std::string, std::shared_ptr<Class>> types;
};

}  // namespace knead::engine::model
