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

/// Holds the inputs of a recipe besides its own text. Tests replace the files and the environment.
struct World {
  Files files;
  Environment environment;
  std::filesystem::path home;  // absolute; relative paths in arguments start here
};

/// Returns the files, environment and current directory of this process. Throws knead::Error if the
/// current directory does not exist.
World this_world();

/// Holds a recipe that has no errors, once as generated structs and once as a tree.
struct Understood {
  recipe::Recipe recipe;
  Node tree;          // the same values with their places, for render()
  Problems warnings;  // sorted; no errors
};

/// Returns all problems of a recipe file and of the arguments applied to it, sorted by place. Does
/// not throw for a mistake in the recipe or in an argument.
Problems lint(const std::string& file, const std::vector<std::string>& overrides,
              const World& world);

/// Reads, merges and checks a recipe. Throws InvalidRecipe with all problems, sorted, if at least
/// one is an error.
Understood load(const std::string& file, const std::vector<std::string>& overrides,
                const World& world);

/// Reads, merges and checks a recipe, and returns the tree even if it has errors: wrong values are
/// left out, and `doubtful` lists their paths, which rules of the caller must skip. Adds all
/// problems to `problems`, sorted.
Checked read_as_far_as_possible(const std::string& file, const std::vector<std::string>& overrides,
                                const World& world, Problems& problems);

}  // namespace knead::schema
