#pragma once

#include <memory>

#include <torch/csrc/jit/api/module.h>

#include "runner/engine/model/model.h"

namespace knead::engine::model {

struct Model::Parts {
  torch::jit::Module module;
  std::vector<std::string> non_persistent;  // dotted names of tensor attributes that are buffers
  std::shared_ptr<void> keep_alive;         // what the module's graphs refer to

  NamedTensors parameters;
  std::vector<Buffer> buffers;
  std::vector<Alias> aliases;
  std::vector<Input> inputs;
};

/// A module with the lists of its tensors and the parameters of its forward.
std::unique_ptr<Model> as_model(torch::jit::Module module, std::vector<std::string> non_persistent,
                                std::shared_ptr<void> keep_alive);

}  // namespace knead::engine::model
