#pragma once

#include <filesystem>
#include <memory>

#include "runner/engine/model/module/model.h"

namespace knead::engine::model {

/// Loads a TorchScript archive for training, onto the CPU. Throws knead::Error if the file is not
/// an archive, or its module has no forward or no parameters. Model::warnings() lists operators
/// that a trace fixed to one mode. An archive is a program: the caller must have checked its
/// origin.
std::unique_ptr<Model> load_archive(const std::filesystem::path& path);

}  // namespace knead::engine::model
