#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/load.h"

namespace knead::schema {

// The steps of lint() and load(), for those who take one of them more than once.

/// Reads a recipe with its bases and applies arguments: the tree before `like`, the environment and
/// defaults. Its root is placed at the beginning of `file`. Returns std::nullopt if a file cannot
/// be read to its end; `problems` then has the reason.
std::optional<Node> read_tree(const std::string& file, const std::vector<std::string>& overrides,
                              const World& world, Problems& problems);

/// Completes a tree of read_tree() and checks it: `like`, the environment, the schema, the rules.
/// Asks files for existence only.
Checked check_tree(Node tree, const World& world, Problems& problems);

/// Turns a checked tree into what load() returns. Throws InvalidRecipe if a problem is an error.
Understood understand(Checked checked, Problems problems);

}  // namespace knead::schema
