#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "schema/load.h"

namespace knead::schema {

/// A value for a key, in place of the recipe's own.
struct Assignment {
  std::string key;   // a dotted path, as in an argument
  Node value;        // of a checked tree, or made, with a place: problems of it are shown there
  Place place = {};  // of the key, where its own problems are shown; empty: that of the value
};

/// Reads a recipe once, and checks and loads it with other values for its keys as often as wanted:
/// the trials of a sweep. Assignments apply as arguments do, after those of the constructor, to the
/// recipe without its block `sweep`; a relative path starts from the file that names it. The files
/// that a recipe names are looked for once, so a variation costs no access to the disk.
///
/// All members but the constructor may be called by several threads at once.
class Variations {
 public:
  /// Reads and checks the recipe, as load() does. Throws InvalidRecipe if it has an error.
  Variations(const std::string& file, const std::vector<std::string>& overrides,
             const World& world);

  /// Returns the recipe as load() returns it, with its block `sweep`.
  const Understood& base() const { return base_; }

  /// Returns all problems of the recipe with these assignments, sorted, warnings included.
  Problems problems(std::span<const Assignment> assignments) const;

  /// Loads the recipe with these assignments. Throws InvalidRecipe with the problems, sorted, if at
  /// least one is an error.
  Understood with(std::span<const Assignment> assignments) const;

 private:
  World world_;
  Node tree_;  // without the block `sweep`, before `like` and the environment
  Understood base_;
};

/// Returns the tree that arguments would make of `tree`, which comes from read_tree().
Node varied(Node tree, std::span<const Assignment> assignments, Problems& problems);

/// Returns a world that remembers of each file whether it exists.
World remembering(World world);

/// Returns the argument `key=value` that stands for an assignment, on one line: load() with it and
/// `sweep=null`, after the arguments of the Variations, gives a recipe that renders as with() did.
/// References to the environment stay references; a path is absolute. `tree` is that of with() for
/// assignments among which is this one.
std::string as_argument(const Assignment& assignment, const Node& tree);

}  // namespace knead::schema
