#pragma once

#include <string>
#include <vector>

#include "runner/syntax/bound_names.h"

namespace knead::syntax {

/// A name that is read where no scope gives it a value.
struct UnknownName {
  std::string id;
  Range range;
  bool is_certain = true;  // whoever runs the body comes by it: no condition or loop is before it
  Names known;             // what the scopes around it do give a value to, Python's own left out
};

/// A call, or an attribute of a name: `nn.Linear`.
template <typename Node>
struct Seen {
  const Node* node;
  Range range;
  bool is_certain;
};

/// A function, or the top of a file, with what is read in it, functions inside left out.
struct Reading {
  const Function* function = nullptr;  // null: the top of the file, classes in it included
  const Class* owner = nullptr;        // of a method
  std::vector<UnknownName> unknown;
  std::vector<Seen<Attribute>> attributes;
  std::vector<Seen<Call>> calls;
};

/// All functions of a file, the top first. What stands below `if __name__ == "__main__":` is not
/// looked at: nobody runs it. Empty where names may come from `import *` of a file that is not
/// known.
std::vector<Reading> readings_of(const File& file);

}  // namespace knead::syntax
