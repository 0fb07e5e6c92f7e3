#pragma once

#include <span>
#include <string>
#include <vector>

#include "runner/front/line/arguments.h"
#include "schema/document/error.h"

namespace knead::front {

/// Describes one verb of the command line. The table in verbs.cpp lists all of them.
struct Verb {
  /// The word on the command line: "lint". Names are distinct.
  std::string name;
  /// Description without subject and full stop, for `knead help`: "prints versions and devices".
  std::string sentence;
  /// The words it takes besides options: "FILE [KEY=VALUE …]". Completion offers keys of a recipe
  /// only if "KEY=VALUE" is part of it.
  std::string usage;
  /// A whole command line, which messages about wrong usage show.
  std::string example;
  std::vector<Option> options;
  /// Runs the verb and returns the exit code of the program. May throw any exception: main() prints
  /// it and turns it into an exit code.
  Exit (*run)(const Arguments& arguments);

  /// Returns whether the verb takes overrides of a recipe.
  bool takes_overrides() const { return usage.find("KEY=VALUE") != std::string::npos; }
};

/// Returns the table of verbs in the order of `knead help`. It lives as long as the program.
const std::vector<Verb>& verbs();

/// Returns the verb of a name; null if there is none. The pointer stays valid.
const Verb* find_verb(const std::string& name);

/// Returns the verb of a name. Throws knead::Error (exit code 2) if there is none, with a hint.
const Verb& named_verb(const std::string& name);

// Each verb has its own file.

/// Prints the problems of recipes and of their models.
Exit lint(const Arguments& arguments);
/// Prints a recipe with all keys, defaults and overrides in place.
Exit render(const Arguments& arguments);
/// Prints the meaning of a key, and its value and origin in a recipe.
Exit explain(const Arguments& arguments);
/// Prints the language of recipes as a JSON Schema or as a page.
Exit schema_verb(const Arguments& arguments);
/// Checks a recipe and trains it in the engine.
Exit run(const Arguments& arguments);
/// Trains the trials of a recipe's sweep, or prints how a cluster or a CI service would.
Exit sweep_verb(const Arguments& arguments);
/// Checks a recipe and prints its plan by the engine.
Exit plan(const Arguments& arguments);
/// Lists runs with their state, best values and checkpoints.
Exit runs(const Arguments& arguments);
/// Writes a page on a run, several or a sweep.
Exit report_verb(const Arguments& arguments);
/// Shows a folder of runs in the browser as they go on.
Exit board_verb(const Arguments& arguments);
/// Shows runs on the terminal as they go on.
Exit watch(const Arguments& arguments);
/// Reads all checkpoints of a run and reports damage.
Exit verify(const Arguments& arguments);
/// Evaluates the best weights of a run in the engine.
Exit evaluate(const Arguments& arguments);
/// Writes predictions of the best weights of a run by the engine.
Exit predict(const Arguments& arguments);
/// Prints what the language model of a run writes behind prompts, by the engine.
Exit generate(const Arguments& arguments);
/// Writes the best weights of a run for other programs by the engine.
Exit export_verb(const Arguments& arguments);
/// Copies a starter recipe with its model and data to the current folder.
Exit new_verb(const Arguments& arguments);
/// Translates a file of another trainer to a recipe.
Exit import_verb(const Arguments& arguments);
/// Gives the numbers of a run to a sink, by its files or by the engine.
Exit track_verb(const Arguments& arguments);
/// Measures the steps of a recipe in the engine.
Exit bench(const Arguments& arguments);
/// Prints the completion script of a shell, or completions for such a script.
Exit completion(const Arguments& arguments);
/// Prints versions and devices for a bug report.
Exit env(const Arguments& arguments);
/// Prints the verbs, or the help of one verb.
Exit help(const Arguments& arguments);

/// Returns the text of `knead help`: the verbs and the exit codes.
std::string help_text();

/// Returns the text of `knead help VERB`: usage, options and an example.
std::string help_text(const Verb& verb);

/// Returns the only file of the arguments. Throws knead::Error (exit code 2), which shows the
/// verb's example, if there is none or more than one.
std::string only_file(const Verb& verb, const Arguments& arguments);

}  // namespace knead::front
