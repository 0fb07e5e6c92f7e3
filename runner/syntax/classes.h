#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// The classes that stand at the top of a file, in its order.
std::vector<const Class*> classes_of(const File& file);

/// Whether a statement gives a value to a name, in the scope that it stands in.
bool binds(const Statement& statement, std::string_view name);

/// Whether a class can be a model, as far as its file tells: it is not known to be something else
/// (a dataclass, an enumeration, a class without bases).
bool may_be_module(const File& file, const Class& one);

/// The classes at the top of a file that may be.
std::vector<const Class*> modules_of(const File& file);

/// The classes of a file that may be modules and that no other class uses, directly or by a
/// function: the one to build where nobody names one.
std::vector<const Class*> outermost_modules(const File& file);

/// The decorator that makes a class a dataclass; null if there is none.
const Expression* dataclass_decorator(const Class& one);

/// "a.b.c" of a name or of attributes of one; empty for anything else.
std::string dotted_name(const Expression& expression);

}  // namespace knead::syntax
