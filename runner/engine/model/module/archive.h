#pragma once

#include <filesystem>
#include <memory>

#include "runner/engine/model/module/model.h"

namespace knead::engine::model {

/// Loads a TorchScript archive to be trained. Throws knead::Error for a file that is none, and for
/// a module without parameters; Model::warnings() says what was fixed when it was made. An archive
/// is a program: whoever loads it has checked where it comes from.
std::unique_ptr<Model> load_archive(const std::filesystem::path& path);

}  // namespace knead::engine::model
