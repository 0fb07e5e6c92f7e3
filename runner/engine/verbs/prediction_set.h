#pragma once

#include <filesystem>

#include "recipe.h"
#include "runner/data/sets/sets.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// The samples of a file, a folder or a list that is read as data.train is, all of them in order.
/// Where a recipe names the fields, only those that the model is given are read: data to predict
/// from mostly lacks what is right. Throws knead::Error where one path cannot stand for the files
/// of data.train, or what it names cannot be used.
data::Set prediction_set(const recipe::Recipe& recipe, const model::Model& model,
                         const std::filesystem::path& path);

}  // namespace knead::engine
