#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/plan/resolve.h"
#include "schema/load.h"

namespace knead::engine {

/// How this program was called: knead-engine VERB [--option=value …] FILE [--] key=value ….
struct Call {
  std::string verb;
  std::string file;    // the recipe; of evaluate, predict and export, the folder of a run
  std::string digest;  // of the recipe as the front understood it; empty if it does not say
  std::vector<std::string> overrides;
  bool fresh = false;
  std::optional<std::uint64_t> stop_after;  // steps; for tests
  std::string format;                       // plan, bench: how it is printed; empty: as text
  std::string to;                           // export: the format
  std::string out;                          // export, predict: the file
  std::string set;                          // evaluate: the set; predict: the same, or a file
};

/// Throws knead::Error for words that knead would not have used.
Call read_call(const std::vector<std::string>& words);

/// A recipe, ready to be obeyed.
struct Understood {
  recipe::Recipe recipe;  // resolved for this machine
  schema::Node tree;      // as it was read
};

/// Loads the recipe of a call and sets LibTorch up for it. Throws schema::InvalidRecipe or
/// knead::Error, where the recipe is not the one that the front checked, too.
Understood understand(const Call& call);

/// What this process may use.
plan::Machine this_machine();

}  // namespace knead::engine
