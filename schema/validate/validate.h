#pragma once

#include <map>
#include <string>

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/table/path_set.h"
#include "schema/table/table.h"

namespace knead::schema {

/// A tree that was held against the schema.
struct Checked {
  /// Every known key in the schema's order: defaults filled in, numbers and quantities canonical,
  /// paths absolute. What is wrong is left out.
  Node tree;

  /// Dotted paths that cannot be trusted because a problem was reported there (a misspelt key makes
  /// the key that was meant doubtful): rules over them stay silent, so that one mistake gives one
  /// problem.
  PathSet doubtful;

  /// Where a null was written for a key, by its dotted path.
  std::map<std::string, Place, std::less<>> removed;

  /// The folder that relative paths in arguments start from.
  std::string home;

  /// Whether nothing at, above or below a path is doubtful.
  bool is_certain(std::string_view path) const { return !doubtful.touches(path); }
};

/// Holds a merged tree against a schema and adds every problem.
Checked validate(const Node& root, const Type& type, const std::string& home, Problems& problems);

}  // namespace knead::schema
