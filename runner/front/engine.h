#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/front/arguments.h"
#include "runner/launch/rank.h"
#include "schema/document/error.h"

namespace knead::front {

/// The program that trains: KNEAD_ENGINE, knead-engine beside this program, or the one that pip
/// installed with it. Empty where this program was installed without an engine.
std::filesystem::path engine_program();

/// What a person does about an empty engine_program().
extern const char* const kHowToInstallEngine;

/// Starts the engine with these words and watches it to its end. Says what ended it, where it has
/// not spoken for itself.
Exit run_engine(const std::vector<std::string>& words, const launch::HeldSignals& signals);

/// Checks the recipe that a verb was given, shows its warnings and gives the words that start the
/// engine on it: VERB FILE --digest=… OPTION… -- KEY=VALUE …. The engine compares the digest with
/// what it understands itself. Throws InvalidRecipe, syntax::Refusal for a mistake in the source of
/// the model, and knead::Error where no file was given.
std::vector<std::string> words_for_engine(const std::string& verb, const Arguments& arguments,
                                          const std::vector<std::string>& options = {});

/// Starts the engine with a verb that takes the folder of a run, and overrides of its recipe.
Exit run_engine_on_run(const std::string& verb, const Arguments& arguments,
                       const std::vector<std::string>& options);

}  // namespace knead::front
