#pragma once

#include <cstddef>
#include <vector>

#include "runner/syntax/bound_names.h"
#include "runner/syntax/tree.h"

namespace knead::syntax {

/// The names of a file that one of its top-level statements deals with.
struct StatementNames {
  Names binds;          // the statement gives them a value
  Names changes;        // it may change their value: `x.append(1)`, `x[0] = 1`, `@x.register`
  Names reads;          // it reads them while it runs
  Names later;          // functions that it defines read them when they are called
  bool always = false;  // it sets a default of torch, which has no name
};

/// Returns the names of each top-level statement of a file, in order. Names that are local to
/// functions and comprehensions do not count. The result errs towards more: a call counts as a
/// change of everything that it is given. `if __name__ == "__main__":` has no names, because a
/// model's file is imported and not run.
std::vector<StatementNames> statement_names(const File& file);

/// Return the names that a lambda or another expression, or a function with its defaults, reads
/// from the scopes around it.
Names free_names(const Expression& expression);
Names free_names(const Function& function);

/// Returns the places of the statements that must run, in the order of the file, so that the wanted
/// names have the values that they have in Python when the whole file has run. Statements that may
/// later be asked for and that would then read another value are among them. `wanted` may contain
/// names that the file does not bind.
std::vector<std::size_t> statements_for(const std::vector<StatementNames>& statements,
                                        const Names& wanted);

}  // namespace knead::syntax
