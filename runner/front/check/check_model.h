#pragma once

#include "schema/load.h"

namespace knead::front {

/// What is wrong with the source of a recipe's model, as far as that can be seen without LibTorch:
/// a file that does not parse, a class that is not there, arguments that do not fit. Silent where
/// only running the file would tell, and about what is doubtful in the recipe. A model's file that
/// does not parse is one problem, and then there is no other.
schema::Problems check_model(const schema::Checked& recipe, const schema::World& world);

/// The same before a run: throws syntax::Refusal (exit code 3) for the first mistake in a model's
/// file, InvalidRecipe where there is one in the recipe. The warnings.
schema::Problems require_model(const schema::Understood& recipe, const schema::World& world);

}  // namespace knead::front
