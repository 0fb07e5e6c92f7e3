#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/peers/peer.h"
#include "schema/document/node.h"

namespace knead::peers {

struct Aspect;

/// The result of the import for one key. Each key gets exactly one: a translating function sets
/// `taken`, `idle` or another fate while it handles the key, and Theirs::settle() decides the rest.
enum class Fate : std::uint8_t {
  open,     // not handled yet
  taken,    // named at a line of the recipe, whose value may be open
  off,      // false, null, empty or the default: nothing to write
  no_need,  // knead does this without a key
  without,  // no counterpart
  idle,     // has a counterpart, but no effect beside another key
  unknown   // not a key of this trainer
};

/// A key of the imported file with its value, or a default of its trainer (a Habit). A block of
/// keys that the trainer knows one by one is taken apart into items; any other block or list is one
/// item.
struct Item {
  /// Dotted path of the key: "fsdp_config.fsdp_offload_params".
  std::string path;
  schema::Node value;
  /// The meaning of the key; std::nullopt if a recipe cannot express it or the trainer has no such
  /// key.
  std::optional<Part> part{};
  /// The key is not in the file: it is a default of the trainer, which counts in no statistics.
  bool is_habit = false;
  Fate fate = Fate::open;
  /// Completes the comment of the key for the fates no_need, without and idle; for `unknown` it is
  /// a similar key of the trainer or empty.
  std::string reason{};
  /// The probable meanings of an unknown key; empty for known keys.
  std::vector<const Aspect*> aspects{};

  /// Returns whether the value is null, an empty text, list or map, or "None". Such a key is
  /// treated as if it was not written.
  bool is_empty() const;
  /// Returns whether the value is empty, false, no, none, off, 0 or -1: trainers use each of them
  /// to say that something is not wanted.
  bool is_off() const;
  /// Returns the value as one line of YAML, cut after 60 code points. A text under a key that looks
  /// like a secret (api_key, password, token …) is "(not shown)".
  std::string shown() const;
  /// Returns key and value: "learning_rate: 5e-5".
  std::string in_words() const;
};

/// Returns the text of a scalar as written, without quotes, or an empty text for lists, maps and
/// empty values.
std::string text_of(const Item& item);

/// Returns a boolean in the spelling of YAML 1.1 or Python (yes, off, True, n), or 1 or 0;
/// std::nullopt for any other value.
std::optional<bool> truth_of(const Item& item);

/// Returns a number, quoted or not (YAML 1.1 reads 5e-5 as text), or std::nullopt for any other
/// value.
std::optional<double> number_of(const Item& item);

/// Returns the number of an item as YAML 1.2 reads it: as written, without quotes. The item must
/// have a number, as number_of() tells.
std::string number_as_yaml(const Item& item);

/// The imported file as a list of keys, completed by the defaults of its trainer.
///
/// The translating functions look up keys by their parts, write lines of a Draft from them and give
/// each key that they have handled a fate. Afterwards settle() accounts for the other keys, so that
/// no key is lost. A key with an empty value counts as not written for every look-up except
/// says_nothing(). Pointers to items stay valid as long as the object.
class Theirs {
 public:
  /// Takes the keys of a file, whose map is `root`, and adds the trainer's defaults, except those
  /// that an unknown key probably contradicts. Copies the values and borrows `peer`.
  Theirs(const Peer& peer, const schema::Node& root);

  const Peer& peer() const { return peer_; }

  /// Returns written(part), or else the trainer's default for the part, or else null.
  Item* find(Part part);
  /// Returns the key for a part that is written and not empty, or null. Of several keys the one
  /// that comes first in the trainer's table is returned, whatever the order of the file.
  Item* written(Part part);
  /// Returns whether a key for a part is written with an empty value, as in `eval_steps:`.
  bool says_nothing(Part part) const;
  /// Returns all keys for a part that are written and not empty, in the order of the file, without
  /// defaults.
  std::vector<Item*> all(Part part);

  /// Returns the value of find(part) as a number, or std::nullopt if there is no key or no number.
  std::optional<double> number(Part part);
  /// Returns the value of find(part) as a boolean, or std::nullopt if there is no key or no
  /// boolean.
  std::optional<bool> truth(Part part);
  /// Returns the text of find(part), or an empty text.
  std::string text(Part part);

  /// Returns the unknown keys that probably mean this aspect. Returns none if a known key is
  /// written for one of the aspect's parts, because that key decides.
  std::vector<Item*> unplaced(const Aspect& aspect);

  /// Marks the keys for a part that have no fate yet as idle, with this reason. Skips defaults and
  /// keys that are off. A translating function calls it last, for the keys that it did not need.
  void set_idle(Part part, const std::string& reason);

  /// Gives a fate to every key that is still open. `named` holds the keys that references in the
  /// file name, as resolve_references() returns them; an unknown one of them is not needed, because
  /// its value stands where the references were. Called once, last.
  void settle(const std::set<std::string>& named);

  /// Returns the keys in the order of the file, followed by the defaults.
  const std::deque<Item>& items() const { return items_; }

 private:
  /// Appends the item at `path`, or the items below it if the block is taken apart.
  void collect(const std::string& path, const schema::Node& node);
  void find_aspects(Item& item) const;
  bool is_unplaced(Part part);
  bool is_in_disabled(const Item& item) const;
  void add_habits();
  void add_habit(const std::string& path, const Habit& habit);
  /// Returns the first key for a part, in the order of a trainer's table, that is written and not
  /// empty. The keys of the table stand below `block`, which is empty or ends in a dot.
  Item* written(Part part, const Peer& peer, const std::string& block);
  /// Gives a key that is left to the script of the trainer no meaning.
  void leave_auto_open(Item& item) const;
  void settle(Item& item);

  const Peer& peer_;
  std::deque<Item> items_;
};

/// The number of keys in a file, split up as Theirs does it for a given trainer, and how many of
/// them the trainer knows.
struct Known {
  /// All keys of the file.
  std::size_t all = 0;
  /// The keys that the trainer has, whether or not a recipe can express them.
  std::size_t keys = 0;
};
/// Counts the keys of a file and those that a trainer knows. `root` is the map of the whole file.
Known known_keys(const Peer& peer, const schema::Node& root);

}  // namespace knead::peers
