#pragma once

#include <string>
#include <vector>

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/table/table.h"

namespace knead::schema {

/// Applies `key.path=value` arguments to a recipe, in order; the value is YAML. A bare value sets
/// only the key that it stands for (`batch=64` keeps batch.micro), a block replaces the whole
/// block, and null removes the key. A path may name blocks that do not exist yet, and list items by
/// number (`expect.0.at_least=0.9`). Behind `sweep.over.` the rest of the path is one name with its
/// dots (`sweep.over.optimizer.lr=[1e-3, 1e-4]`). Validation checks keys and values, and places its
/// problems in the argument.
///
/// An argument without '=', with an empty step or without a value, a list item that does not exist,
/// and `extends` are problems here; such an argument is skipped, and the others still apply. List
/// items cannot be appended. The value that an argument overwrites is kept in `Node::replaced`.
void apply_overrides(Node& root, const Type& type, const std::vector<std::string>& arguments,
                     Problems& problems);

/// One name of a dotted path, with the place at which its problems are shown.
struct Step {
  std::string name;
  Place place;
};

/// Sets one value as an argument does, at a path of at least one step. A list item that does not
/// exist is a problem, and nothing is set then.
void set_value(Node& root, const Type& type, const std::vector<Step>& path, Node value,
               Problems& problems);

}  // namespace knead::schema
