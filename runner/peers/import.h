#pragma once

#include <memory>
#include <string>

#include "schema/document/source.h"

namespace knead::peers {

/// A file of another trainer as the text of a recipe: all of its keys are there, those without a
/// counterpart in comments; what only a person can know is left open. `from`: whose file it is;
/// empty: its keys tell. `processes`: how many their run had; 0: what the file says, or one.
/// Throws schema::InvalidRecipe where the file is no YAML or JSON, knead::Error where it is none of
/// theirs.
std::string import_file(const std::shared_ptr<const schema::Source>& source,
                        const std::string& from, int processes);

}  // namespace knead::peers
