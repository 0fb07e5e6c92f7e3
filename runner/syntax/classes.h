#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Returns the classes at the top level of a file, in order. All pointers that the functions of
/// this header return point into the file or the class that they are asked about.
std::vector<const Class*> classes_of(const File& file);

/// Returns whether a statement binds, rebinds or deletes a name in its scope, also in a nested
/// block such as the body of an `if`, by `except … as name`, and by `:=` in an expression. An
/// annotation without a value does not bind the name; `from m import *` is not looked at, nor are
/// the decorators, the defaults and the bases of functions and classes.
bool binds(const Statement& statement, std::string_view name);

/// Returns whether a class can be a torch.nn.Module, as far as its file tells: it has a base, and
/// is not a dataclass, an enumeration or another known kind of class. A base from another file
/// counts as a possible module, so the answer errs towards yes.
bool may_be_module(const File& file, const Class& one);

/// Returns the top-level classes that may be modules, in order.
std::vector<const Class*> modules_of(const File& file);

/// Returns the possible modules that no other class uses, directly or through functions. If the
/// recipe names no class and there is exactly one, it is the model.
std::vector<const Class*> outermost_modules(const File& file);

/// Returns the decorator that makes a class a dataclass, or null.
const Expression* dataclass_decorator(const Class& one);

/// Returns "a.b.c" for a name or a chain of attributes on a name, otherwise an empty text.
std::string dotted_name(const Expression& expression);

}  // namespace knead::syntax
