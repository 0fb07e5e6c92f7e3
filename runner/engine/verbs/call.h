#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/plan/resolve.h"
#include "schema/document/quantity.h"
#include "schema/load.h"

namespace knead::engine {

/// Holds the parsed command line: knead-engine VERB [--option=value …] FILE [--] key=value …. An
/// option that a verb does not use is ignored.
struct Call {
  /// Names the verb; main() refuses an unknown one.
  std::string verb;
  /// Holds the path of the recipe; for evaluate, predict and export the folder of a run.
  std::string file;
  /// Holds the digest of the recipe as the front loaded it; empty: not checked.
  std::string digest;
  /// Lists the overrides "key.path=value" in their order; a later one wins.
  std::vector<std::string> overrides;
  /// Makes run start over; the old run is moved aside.
  bool fresh = false;
  /// Makes run stop after so many steps, epochs, samples or tokens, counted from the start of the
  /// run: where a sweep decides whether it goes on, and in tests.
  std::optional<schema::Quantity> stop_after;
  /// Makes plan, bench, evaluate and generate print "json"; they print text for any other word.
  std::string format;
  /// Names the format of export: "torchscript", "safetensors" or "torch".
  std::string to;
  /// Holds the path of the output file of export and predict.
  std::string out;
  /// Counts this process among those that train together, from 0, and says how many they are.
  int rank = 0;
  int ranks = 1;
  /// Counts the ranks of this machine; read_call() takes all to be on it if no option says so.
  int local_rank = 0;
  int local_ranks = 1;
  /// Counts the trials of a sweep that train at the same time, this one included: they divide the
  /// cores.
  int beside = 1;
  /// Says where the ranks meet, as parallel::Membership does; empty for one rank.
  std::string rendezvous;
  /// Makes rank 0 of a run tell of its end those whom the recipe names, where no `knead run` waits
  /// for that end.
  bool tells = false;
  /// Names the start of the run, for ranks that another launcher has started; may be empty.
  std::string start;
  /// Holds what generate begins with: a text, or the path of a file with one on each line.
  std::string prompt;
  std::string prompts;
  /// The most tokens that generate writes behind a prompt.
  std::uint64_t tokens = 0;
  /// Names the set of evaluate; empty: validation and test. For predict the set or a file.
  std::string set;
  /// Holds the recipe of `file` with the overrides, where it has been loaded before: see serve().
  std::shared_ptr<const schema::Understood> loaded;
};

/// Parses the words after the program's name. "--" ends the options, so that a file may begin with
/// a dash. Pure. Throws knead::Error (exit code of an invalid recipe) for a missing verb, an
/// unknown option, a bad number or a rank outside of its ranks; knead itself never passes such
/// words.
Call read_call(const std::vector<std::string>& words);

/// Holds a recipe that is loaded and resolved.
struct Understood {
  /// Holds the recipe resolved for this machine; `threads` may be open until choose_threads().
  recipe::Recipe recipe;
  /// Holds the recipe as load() returned it, not resolved, with the origin of each value. The
  /// source of its place is the recipe file as it was read.
  schema::Node tree;
};

/// Loads and resolves the recipe of a call, fetches the files that it names by URL, and starts
/// LibTorch with its threads, device and precision. Must be called once in a process, before
/// LibTorch does anything else. Throws schema::InvalidRecipe if the recipe is invalid, and
/// knead::Error if no recipe is named, or if it is not the one that the front checked, needs a GPU
/// that is not there, or names a file that cannot be fetched.
Understood understand(const Call& call);

/// Returns the cores that this process may use and its working folder. Does not look for GPUs.
plan::Machine this_machine();

}  // namespace knead::engine
