#pragma once

#include "schema/load.h"

namespace knead::front {

/// Returns the problems in the source of a recipe's model that can be found without LibTorch: a
/// file that does not parse, a missing class, wrong arguments. Does not report mistakes that only
/// running the file would show, nor those that depend on doubtful keys of the recipe. If a file
/// does not parse or cannot be read, that is the only problem. Empty if the recipe has no source,
/// or one that does not exist, which the schema reports. Never throws for the content of a file.
schema::Problems check_model(const schema::Checked& recipe, const schema::World& world);

/// Checks the model of a recipe before a run and returns the warnings. Throws syntax::Refusal (exit
/// code 3) for the first mistake if all are in the model's files, InvalidRecipe with all errors if
/// one is in the recipe, and knead::Error if a file cannot be read.
schema::Problems require_model(const schema::Understood& recipe, const schema::World& world);

}  // namespace knead::front
