#pragma once

#include <filesystem>
#include <memory>

#include "schema/document/source.h"

namespace knead::engine::model {

/// Reads a source file of a model. Its name in messages is the path relative to the current
/// directory if that is shorter than `path`; its path is absolute. Throws knead::Error if the file
/// cannot be read.
std::shared_ptr<const schema::Source> read_source(const std::filesystem::path& path);

}  // namespace knead::engine::model
