#pragma once

#include <memory>
#include <string>

#include "schema/document/source.h"

namespace knead::peers {

/// Translates a configuration file of another trainer into the text of a recipe. Every key of the
/// file appears, in a comment if it has no counterpart, and values that only the user knows are
/// left open. `from` is the name of the trainer; if empty, the keys decide. `processes` is the
/// number of processes of the original run; if 0, the file decides, or it is 1.
/// Throws schema::InvalidRecipe if the file is not YAML or JSON, and knead::Error if no known
/// trainer uses such a file.
std::string import_file(const std::shared_ptr<const schema::Source>& source,
                        const std::string& from, int processes);

}  // namespace knead::peers
