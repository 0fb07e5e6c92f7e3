#pragma once

#include <memory>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// All files of a model with their values, the layers among them. Whoever compiles a module keeps
/// its program alive until all is compiled.
struct Program {
  std::vector<std::unique_ptr<FileValues>> files;
};

}  // namespace knead::engine::model
