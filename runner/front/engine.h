#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/front/arguments.h"
#include "runner/launch/rank.h"
#include "schema/document/error.h"

namespace knead::front {

/// Returns the path of the engine: the value of KNEAD_ENGINE, knead-engine beside this program, or
/// the engine that pip installed with it. Empty if this program was installed without an engine.
std::filesystem::path engine_program();

/// The remedy of an error message if engine_program() is empty.
extern const char* const kHowToInstallEngine;

/// Starts the engine with the words as arguments and waits for its end. Prints the reason of its
/// end if the engine itself could not. Throws knead::Error if the engine cannot be started.
Exit run_engine(const std::vector<std::string>& words, const launch::HeldSignals& signals);

/// Checks the recipe of a verb, prints its warnings and returns the arguments of the engine:
/// VERB FILE --digest=… OPTION… -- KEY=VALUE …. The engine compares the digest with that of the
/// recipe as it loads it. Throws InvalidRecipe, syntax::Refusal for a mistake in the source of the
/// model, and knead::Error if no file was given.
std::vector<std::string> words_for_engine(const std::string& verb, const Arguments& arguments,
                                          const std::vector<std::string>& options = {});

/// Starts the engine with a verb that takes the folder of a run and overrides of its recipe.
/// Throws knead::Error if the arguments do not name exactly one folder.
Exit run_engine_on_run(const std::string& verb, const Arguments& arguments,
                       const std::vector<std::string>& options);

}  // namespace knead::front
