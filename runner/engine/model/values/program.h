#pragma once

#include <memory>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// All files of a model with their values, including the layer files. A Compiler refers to its
/// program, so the program must live until every module is compiled.
struct Program {
  std::vector<std::unique_ptr<FileValues>> files;
};

}  // namespace knead::engine::model
