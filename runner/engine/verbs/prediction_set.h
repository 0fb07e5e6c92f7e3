#pragma once

#include <filesystem>

#include "recipe.h"
#include "runner/data/sets/sets.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Reads the samples of a file, a folder or a list in the way of data.train, all of them in order,
/// without random transforms. If the recipe names the fields, reads only the fields that are inputs
/// of the model, because data to predict from mostly lack the targets; transforms of other fields
/// are left out. Throws knead::Error if one path cannot replace the files of data.train (a mix, or
/// several fields with a file each), or if the data cannot be read. Text gets the tokenizer that
/// `run_folder` keeps.
data::Set prediction_set(const recipe::Recipe& recipe, const model::Model& model,
                         const std::filesystem::path& path,
                         const std::filesystem::path& run_folder);

}  // namespace knead::engine
