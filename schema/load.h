#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe.h"
#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/merge/environment.h"
#include "schema/merge/extends.h"
#include "schema/validate/validate.h"

namespace knead::schema {

/// What a recipe is read from besides its own text.
struct World {
  Files files;
  Environment environment;
  std::filesystem::path home;  // the current directory: paths in arguments start here
};

/// The machine and the process.
World this_world();

/// A recipe as it was understood.
struct Understood {
  recipe::Recipe recipe;
  Node tree;          // the same with places: what `render` prints
  Problems warnings;  // nothing in it is an error
};

/// Everything wrong with a recipe file and the arguments over it, sorted. Never throws for what a
/// person wrote.
Problems lint(const std::string& file, const std::vector<std::string>& overrides,
              const World& world);

/// Reads, merges, checks. Throws InvalidRecipe with every problem.
Understood load(const std::string& file, const std::vector<std::string>& overrides,
                const World& world);

/// The merged, checked tree even where there are problems: what is wrong is left out. For those who
/// look at more than the recipe itself, which must be silent about what is doubtful.
Checked read_as_far_as_possible(const std::string& file, const std::vector<std::string>& overrides,
                                const World& world, Problems& problems);

}  // namespace knead::schema
