#pragma once

#include <string>
#include <vector>

#include "runner/syntax/bound_names.h"

namespace knead::syntax {

/// A name that no scope binds where it is read.
struct UnknownName {
  std::string id;
  Range range;
  bool is_certain = true;  // false inside a condition or loop, or after a statement that may return
  Names known;             // names that the enclosing scopes bind, without builtins
};

/// A call or an attribute of a name (`nn.Linear`), with its place.
template <typename Node>
struct Seen {
  const Node* node;
  Range range;
  bool is_certain;  // as in UnknownName
};

/// A function, or the top level of a file, with the names, attributes and calls in it, without
/// nested functions.
struct Reading {
  const Function* function = nullptr;  // null: the top level, including class bodies
  const Class* owner = nullptr;        // of a method
  std::vector<UnknownName> unknown;
  std::vector<Seen<Attribute>> attributes;
  std::vector<Seen<Call>> calls;
};

/// Returns all functions of a file, the top level first. Skips `if __name__ == "__main__":`, which
/// never runs. Returns an empty list if the file has an `import *`, because any name may come from
/// there.
std::vector<Reading> readings_of(const File& file);

}  // namespace knead::syntax
