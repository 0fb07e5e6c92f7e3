#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/plan/resolve.h"
#include "schema/load.h"

namespace knead::engine {

/// Holds the parsed command line: knead-engine VERB [--option=value …] FILE [--] key=value ….
struct Call {
  std::string verb;
  std::string file;    // the recipe; for evaluate, predict and export the folder of a run
  std::string digest;  // of the recipe as the front loaded it; empty: not checked
  std::vector<std::string> overrides;       // key.path=value
  bool fresh = false;                       // run: start over, the old run is moved aside
  std::optional<std::uint64_t> stop_after;  // steps; for tests
  std::string format;                       // plan, bench, evaluate: "json"; empty: text
  std::string to;                           // export: the format
  std::string out;                          // export, predict: the output file
  std::string set;                          // evaluate: the set; predict: the set or a file
};

/// Parses the words after the program's name. Throws knead::Error (exit code of an invalid recipe)
/// for a missing verb, an unknown option or a bad number; knead itself never passes such words.
Call read_call(const std::vector<std::string>& words);

/// Holds a recipe that is loaded and resolved.
struct Understood {
  recipe::Recipe recipe;  // resolved for this machine
  schema::Node tree;      // as load() returned it, not resolved
};

/// Loads and resolves the recipe of a call, fetches the files that it names by URL, and starts
/// LibTorch with its threads, device and precision. Throws schema::InvalidRecipe if the recipe is
/// invalid, and knead::Error if it is not the one that the front checked or needs a GPU that is not
/// there.
Understood understand(const Call& call);

/// Returns the cores and the working folder of this process. Does not look for a GPU.
plan::Machine this_machine();

}  // namespace knead::engine
