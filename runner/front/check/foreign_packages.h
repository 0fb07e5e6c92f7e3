#pragma once

#include <string>

#include "runner/front/check/model_files.h"
#include "runner/syntax/tree.h"
#include "schema/document/problem.h"

namespace knead::front {

/// Returns the module or object that a file imports under a name, "torch.nn" for `nn`; empty if it
/// does not import the name.
std::string imported_as(const syntax::File& file, const std::string& name);

/// Returns what the first part of a dotted name in the main file means, "mamba_ssm.Mamba", if it is
/// imported from a package of which models have nothing; empty if it is not. Of a package that
/// models have a part of, and of Python's own modules, only the engine knows which names there are.
std::string foreign_name(const ModelFiles& files, const std::string& dotted);

/// Returns the problem that a model uses such a name, at the first part of the dotted name.
schema::Problem foreign_problem(const syntax::File& file, const syntax::Expression& dotted,
                                const std::string& name);

}  // namespace knead::front
