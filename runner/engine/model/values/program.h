#pragma once

#include <memory>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// All files of a model with their values, including the layer files. The evaluator appends each
/// file when it begins to run it, and functions, classes and a Compiler refer to the files by
/// address. The program must live until every module is compiled; a finished Model keeps the texts
/// itself.
struct Program {
  std::vector<std::unique_ptr<FileValues>> files;
};

}  // namespace knead::engine::model
