#pragma once

#include <map>
#include <string>

#include "schema/document/node.h"
#include "schema/document/problem.h"
#include "schema/table/path_set.h"
#include "schema/table/table.h"

namespace knead::schema {

/// The result of validation. The tree is complete only if no problem is an error: otherwise a
/// reader must ask is_certain() before it takes an absent value for one that is not written.
struct Checked {
  /// Holds the known keys in the schema's order: defaults are filled in, numbers and quantities are
  /// canonical, paths are absolute. Wrong values are left out.
  Node tree;

  /// Dotted paths of reported problems, and of the keys that a misspelt key may have been meant as.
  /// Rules skip these paths, so that one mistake gives one problem.
  PathSet doubtful;

  /// The places where null was written for a key, by dotted path. The key then has its default.
  std::map<std::string, Place, std::less<>> removed;

  /// The folder that relative paths in arguments start from.
  std::string home;

  /// Returns whether no path at, above or below `path` is doubtful. An absent value of a certain
  /// path is not written, or null, and has no constant default.
  bool is_certain(std::string_view path) const { return !doubtful.touches(path); }
};

/// Checks a merged tree against a schema, and adds every problem to `problems`, unsorted. `type` is
/// a block; `home` is the absolute folder that relative paths in arguments start from. Opens no
/// file. Values that the parser marked as broken are left out without another problem. Top-level
/// keys that begin with `x-` are left out too.
Checked validate(const Node& root, const Type& type, const std::string& home, Problems& problems);

}  // namespace knead::schema
