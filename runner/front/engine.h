#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/front/line/arguments.h"
#include "runner/launch/held_signals.h"
#include "runner/launch/rank_environment.h"
#include "runner/launch/supervise.h"
#include "runner/plan/resolve.h"
#include "schema/document/error.h"
#include "schema/load.h"

namespace knead::front {

/// Returns the path of the engine: the value of KNEAD_ENGINE, knead-engine beside this program, or
/// the engine that pip installed with it. Empty if this program was installed without an engine.
/// The file need not exist where KNEAD_ENGINE names it, or in a build folder that has no engine
/// yet.
std::filesystem::path engine_program();

/// Remedy of an error message if engine_program() is empty.
extern const char* const kHowToInstallEngine;

/// Returns the path of the engine, with the environment that it needs set in this process: how long
/// threads spin, how malloc keeps memory, and where an installed engine finds LibTorch. Values that
/// the user has set stay. Throws knead::Error if there is no engine, or if an installed one lacks
/// PyTorch of the right version.
std::filesystem::path ready_engine();

/// Starts the engine with the words as arguments, as the ranks of `team`, waits for its end and
/// returns the exit code of the run. Prints the reason of its end if the engine itself could not,
/// as after a kill, with the last lines of a rank that failed and is not rank 0. `signals` were
/// held before the caller did anything that takes time, so that no request to stop is lost.
///
/// Changes the environment and throws as ready_engine(), and throws knead::Error if the engine
/// cannot be started.
Exit run_engine(const std::vector<std::string>& words, const launch::HeldSignals& signals,
                const launch::Team& team = {});

/// Names a recipe and the arguments that change it.
struct NamedRecipe {
  std::string file;
  std::vector<std::string> overrides;
};

/// Returns the recipe that a person names. The folder of a run stands for its recipe as it was
/// understood, and the run stays in that folder. Throws knead::Error for another folder.
NamedRecipe recipe_at(const std::string& file, const std::vector<std::string>& overrides);

/// Holds the arguments of the engine for a verb that takes a recipe: VERB FILE --digest=… OPTION…
/// -- KEY=VALUE …. The engine compares the digest with that of the recipe as it loads it, so a file
/// that changes in between is refused.
struct EngineCall {
  std::vector<std::string> words;
  recipe::Recipe recipe;  // not resolved
};

/// Checks the recipe of a verb, prints its warnings if `warns`, and returns what to start the
/// engine with. `options` are words such as "--fresh"; files and variables are those of `world`.
/// Throws InvalidRecipe, syntax::Refusal for a mistake in the source of the model, and knead::Error
/// if not exactly one file was given.
EngineCall call_of_engine(const std::string& verb, const Arguments& arguments,
                          const std::vector<std::string>& options = {}, bool warns = true,
                          const schema::World& world = schema::this_world());

/// Returns which rank torchrun, srun or mpirun has made of this process, by the environment;
/// std::nullopt if none of them started it, or if they started no other: knead then starts the
/// ranks.
std::optional<launch::RankEnvironment> launched_rank();

/// Replaces this process by the engine as the rank that another launcher has started. Throws
/// knead::Error if the numbers of the rank do not fit together or not to the recipe, if nothing
/// says where the ranks meet, and as ready_engine().
[[noreturn]] void become_engine(const launch::RankEnvironment& rank, const EngineCall& call,
                                const launch::HeldSignals& signals);

/// Starts the engine with as many ranks as the recipe of the call says, or becomes one if another
/// launcher has started this process. Throws knead::Error if there are fewer GPUs than ranks, and
/// as become_engine() and run_engine().
Exit run_engine_on_ranks(const EngineCall& call, const launch::HeldSignals& signals);

/// Starts the engine, on the ranks of the run's recipe, with a verb that takes the folder of a run
/// and overrides of its recipe: VERB OPTION… -- DIR KEY=VALUE …. The engine reads the recipe of the
/// run itself. Throws InvalidRecipe for wrong overrides, knead::Error if the arguments do not name
/// exactly one folder, and as run_engine_on_ranks().
Exit run_engine_on_run(const std::string& verb, const Arguments& arguments,
                       const std::vector<std::string>& options);

/// Returns this machine for what the front decides: how many ranks train on how many GPUs. The GPUs
/// are those that the system shows; only an engine asks the driver.
plan::Machine machine_of_ranks();

}  // namespace knead::front
