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
/// The functions of this header reach files and variables only through it.
struct World {
  Files files;
  Environment environment;
  std::filesystem::path home;  // absolute; relative paths in arguments start here
};

/// Returns the files, environment and current directory of this process. Throws knead::Error if the
/// current directory does not exist. The directory is that of the call, files and variables are
/// read later, whenever a recipe needs them.
World this_world();

/// Holds a recipe that has no errors, once as generated structs and once as a tree. Both have all
/// constant defaults; a default that depends on other keys or on the machine is absent from both:
/// plan/resolve.cpp computes it.
struct Understood {
  recipe::Recipe recipe;
  Node tree;          // the same values with their places, for render()
  Problems warnings;  // sorted; no errors
};

/// Returns all problems of a recipe file and of the arguments applied to it, sorted by place. Does
/// not throw for a mistake in the recipe or in an argument.
///
/// `file` starts from `world.home` if it is relative, and is shown in messages as it is given.
/// `overrides` are arguments `key.path=value`, applied in order. A file that cannot be read is a
/// problem too. Data files are not opened, and of the model's files only the existence is checked.
/// After kMostProblems errors the rules over several keys are not checked.
Problems lint(const std::string& file, const std::vector<std::string>& overrides,
              const World& world);

/// Reads, merges and checks a recipe, as lint() does. Throws InvalidRecipe with all problems,
/// sorted, if at least one is an error.
Understood load(const std::string& file, const std::vector<std::string>& overrides,
                const World& world);

/// Reads, merges and checks a recipe, and returns the tree even if it has errors: wrong values are
/// left out, and `doubtful` lists their paths, which rules of the caller must skip. Adds all
/// problems to `problems` in the order found: the caller adds its own and then calls tidy(), which
/// may shorten the list and therefore runs once. The tree is a null without keys if a file cannot
/// be read to its end.
Checked read_as_far_as_possible(const std::string& file, const std::vector<std::string>& overrides,
                                const World& world, Problems& problems);

}  // namespace knead::schema
