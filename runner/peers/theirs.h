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

/// The result of the import for one key. Each key gets exactly one.
enum class Fate : std::uint8_t {
  open,     // not handled yet
  taken,    // named at a line of the recipe, whose value may be open
  off,      // false, null, empty or the default: nothing to write
  no_need,  // knead does this without a key
  without,  // no counterpart
  idle,     // has a counterpart, but no effect beside another key
  unknown   // not a key of this trainer
};

/// A key of the imported file with its value.
struct Item {
  std::string path;  // dotted: "fsdp_config.fsdp_offload_params"
  schema::Node value;
  std::optional<Part> part{};
  bool is_habit = false;  // not in the file: a default of the trainer
  Fate fate = Fate::open;
  std::string reason{};                  // for no_need, without and idle; for unknown a similar key
  std::vector<const Aspect*> aspects{};  // of an unknown key: its probable meanings

  /// Returns whether the value is null, an empty text, list or map, or "None".
  bool is_empty() const;
  /// Returns whether the value is empty, false, no, none, off, 0 or -1.
  bool is_off() const;
  /// Returns the value as one line of YAML, shortened and without secrets.
  std::string shown() const;
  /// Returns key and value: "learning_rate: 5e-5".
  std::string in_words() const;
};

/// Returns the text of a scalar, or an empty text for lists, maps and empty values.
std::string text_of(const Item& item);

/// Returns a boolean in the spelling of YAML 1.1 or Python, or std::nullopt for any other value.
std::optional<bool> truth_of(const Item& item);

/// Returns a number, quoted or not (YAML 1.1 reads 5e-5 as text), or std::nullopt for any other
/// value.
std::optional<double> number_of(const Item& item);

/// Returns the number of an item as YAML 1.2 reads it: as written, without quotes.
std::string number_as_yaml(const Item& item);

/// The imported file as a list of keys, completed by the defaults of its trainer. Pointers to items
/// stay valid as long as the object.
class Theirs {
 public:
  /// `root` is the map of the whole file. Borrows `peer`.
  Theirs(const Peer& peer, const schema::Node& root);

  const Peer& peer() const { return peer_; }

  /// Returns the first key for a part that is written and not empty, otherwise the trainer's
  /// default, otherwise null.
  Item* find(Part part);
  /// Returns the first key for a part that is written and not empty, or null.
  Item* written(Part part);
  /// Returns whether a key for a part is written with an empty value.
  bool says_nothing(Part part) const;
  /// Returns all keys for a part that are written and not empty.
  std::vector<Item*> all(Part part);

  /// Returns the value of find(part) as a number, or std::nullopt if there is no key or no number.
  std::optional<double> number(Part part);
  /// Returns the value of find(part) as a boolean, or std::nullopt if there is no key or no
  /// boolean.
  std::optional<bool> truth(Part part);
  /// Returns the text of find(part), or an empty text.
  std::string text(Part part);

  /// Returns the unknown keys that probably mean this aspect, if no known key is written for it.
  std::vector<Item*> unplaced(const Aspect& aspect);

  /// Marks all open keys for a part as idle, with this reason. Skips keys that are off.
  void set_idle(Part part, const std::string& reason);

  /// Gives a fate to every key that is still open. `named` holds the keys that references in the
  /// file name. Called once, last.
  void settle(const std::set<std::string>& named);

  const std::deque<Item>& items() const { return items_; }

 private:
  void collect(const std::string& path, const schema::Node& node);
  void find_aspects(Item& item) const;
  bool is_unplaced(Part part);
  bool is_in_disabled(const Item& item) const;
  void add_habits();
  void settle(Item& item);

  const Peer& peer_;
  std::deque<Item> items_;
};

/// The number of keys in a file, split up as for a given trainer, and how many of them it knows.
struct Known {
  std::size_t all = 0;
  std::size_t keys = 0;
};
/// Counts the keys of a file that a trainer knows.
Known known_keys(const Peer& peer, const schema::Node& root);

}  // namespace knead::peers
