#pragma once

#include <string>
#include <vector>

#include "runner/syntax/bound_names.h"

namespace knead::syntax {

/// A name that neither an enclosing scope nor Python itself binds where it is read. is_builtin()
/// decides what Python binds.
struct UnknownName {
  std::string id;
  Range range;
  bool is_certain =
      true;     // false in a condition, loop or `try`, or behind a return, raise or yield
  Names known;  // names that the enclosing scopes bind, without builtins
};

/// A call or an attribute of a name (`nn.Linear`), with its place. `node` points into the file.
template <typename Node>
struct Seen {
  const Node* node;
  Range range;
  bool is_certain;  // as in UnknownName
};

/// A function, or the top level of a file, with the names, attributes and calls in it, without
/// nested functions. Lambdas and comprehensions belong to the function around them. Attributes are
/// listed only of plain names: `a.b` of `a.b.c`. Annotations of variables, parameters and results
/// are left out, because they may name what only a type checker imports.
struct Reading {
  const Function* function = nullptr;  // null: the top level, including class bodies
  const Class* owner = nullptr;        // of a method
  std::vector<UnknownName> unknown;
  std::vector<Seen<Attribute>> attributes;
  std::vector<Seen<Call>> calls;
};

/// Returns a reading for the top level of a file, which comes first, and for each function, a
/// nested one behind the one around it. Skips `if __name__ == "__main__":`, which never runs.
/// Returns an empty list if the file has an `import *`, because any name may come from there.
///
/// A name counts as bound in its whole scope, whatever the order of the statements, so a read
/// before the assignment is not reported. As in Python, functions do not see the names of the class
/// around them. Pure; the result points into `file`, which must outlive it.
std::vector<Reading> readings_of(const File& file);

}  // namespace knead::syntax
