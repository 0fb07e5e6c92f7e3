#pragma once

#include <memory>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// All files of a model with their values, including the layer files. Must outlive the compilation
/// of the model's modules.
struct Program {
  std::vector<std::unique_ptr<FileValues>> files;
};

}  // namespace knead::engine::model
