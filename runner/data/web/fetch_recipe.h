#pragma once

#include "recipe.h"
#include "runner/data/web/fetch.h"

namespace knead::data {

/// Fetches what a recipe names by url and every run of it needs, its data and the archive of its
/// model, and names it by path: the cached file. Throws as fetch().
void fetch_recipe(recipe::Recipe& recipe, const Say& say);

}  // namespace knead::data
