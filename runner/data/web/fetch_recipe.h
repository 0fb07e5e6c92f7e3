#pragma once

#include "recipe.h"
#include "runner/data/web/fetch.h"

namespace knead::data {

/// Fetches the files that every run of a recipe needs and that it names by URL: its data, their
/// tokenizers and the archive of its model. Sets the paths in the recipe to the cached files, after
/// which no code asks whether a file came from the web. Weights to start from are not among them.
/// `say`: receives progress messages. Throws as fetch() and web_cache() do; does nothing if the
/// recipe names no URL.
void fetch_recipe(recipe::Recipe& recipe, const Say& say);

}  // namespace knead::data
