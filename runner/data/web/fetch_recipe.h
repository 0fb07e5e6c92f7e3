#pragma once

#include "recipe.h"
#include "runner/data/web/fetch.h"

namespace knead::data {

/// Fetches the files that every run of a recipe needs and that it names by URL: its data and the
/// archive of its model. Sets the paths in the recipe to the cached files. Throws as fetch() does.
void fetch_recipe(recipe::Recipe& recipe, const Say& say);

}  // namespace knead::data
