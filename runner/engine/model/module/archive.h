#pragma once

#include <memory>
#include <string>

#include "runner/engine/model/module/model.h"

namespace knead::engine::model {

/// Loads the bytes of a TorchScript archive for training, onto the CPU. `name` is the file's, for
/// messages; no file is read. Throws knead::Error if the bytes are not an archive, or its module
/// has no forward or no parameters, which is so after torch.jit.freeze. Model::warnings() lists
/// operators that a trace fixed to one mode. An archive is a program: the caller must have checked
/// the origin of exactly these bytes.
std::unique_ptr<Model> load_archive(const std::string& bytes, const std::string& name);

}  // namespace knead::engine::model
