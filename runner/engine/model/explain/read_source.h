#pragma once

#include <filesystem>
#include <memory>

#include "schema/document/source.h"

namespace knead::engine::model {

/// A file of a model. Messages call it as a person would who stands in the current directory.
std::shared_ptr<const schema::Source> read_source(const std::filesystem::path& path);

}  // namespace knead::engine::model
