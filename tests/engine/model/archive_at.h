#pragma once

#include <filesystem>
#include <memory>

#include "runner/engine/model/module/archive.h"
#include "tests/folder.h"

namespace knead::engine {

/// Loads the archive in a file.
inline std::unique_ptr<model::Model> archive_at(const std::filesystem::path& path) {
  return model::load_archive(tests::text_of(path), path.string());
}

}  // namespace knead::engine
