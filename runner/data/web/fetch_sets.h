#pragma once

#include "recipe.h"
#include "runner/data/web/fetch.h"

namespace knead::data {

/// Fetches what the sets of a recipe name by url, and names it by path: the cached file. Throws as
/// fetch().
void fetch_sets(recipe::Data& data, const Say& say);

}  // namespace knead::data
