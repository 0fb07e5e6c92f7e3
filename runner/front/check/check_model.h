#pragma once

#include "schema/load.h"

namespace knead::front {

/// Returns the problems in the source of a recipe's model that can be found without LibTorch: a
/// file that does not parse, a missing class, wrong arguments. Does not report mistakes that only
/// running the file would show, nor those that depend on doubtful keys of the recipe. If a file
/// does not parse, that is the only problem.
schema::Problems check_model(const schema::Checked& recipe, const schema::World& world);

/// Checks the model of a recipe before a run and returns the warnings. Throws syntax::Refusal (exit
/// code 3) for the first mistake in a model's file, and InvalidRecipe if the recipe has one.
schema::Problems require_model(const schema::Understood& recipe, const schema::World& world);

}  // namespace knead::front
