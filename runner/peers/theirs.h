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

/// What became of a key. Each has one fate.
enum class Fate : std::uint8_t {
  open,     // not looked at yet
  taken,    // beside a line of the recipe, whose value may be left to the reader
  off,      // false, null, empty or as usual there: nothing to say
  no_need,  // so without a key
  without,  // no counterpart
  idle,     // has a counterpart, and does not count beside another key
  unknown   // no key of theirs
};

/// A key of theirs with its value.
struct Item {
  std::string path;  // dotted: "fsdp_config.fsdp_offload_params"
  schema::Node value;
  std::optional<Part> part{};
  bool is_habit = false;  // not written: what they do without it
  Fate fate = Fate::open;
  std::string reason{};                  // of no_need, without and idle; a guess for unknown
  std::vector<const Aspect*> aspects{};  // what it seems to say, of a key that is not known

  /// Null, "" or nothing in it.
  bool is_empty() const;
  /// Empty, false, no, none, 0 or -1.
  bool is_off() const;
  /// The value as one line of YAML, short, without secrets.
  std::string shown() const;
  /// "learning_rate: 5e-5".
  std::string in_words() const;
};

/// A text of a scalar; empty for lists, maps and null.
std::string text_of(const Item& item);

/// A boolean as YAML 1.1 and Python write it; nothing for anything else.
std::optional<bool> truth_of(const Item& item);

/// A number, quoted or not (YAML 1.1 takes 5e-5 for text); nothing for anything else.
std::optional<double> number_of(const Item& item);

/// The number of an item as YAML 1.2 takes it: without quotes, and as it was written.
std::string number_as_yaml(const Item& item);

/// A file of theirs, key by key.
class Theirs {
 public:
  /// `root`: a map, the file.
  Theirs(const Peer& peer, const schema::Node& root);

  const Peer& peer() const { return peer_; }

  /// The first key for a part that is written and not empty, else what they do without it; null if
  /// there is neither.
  Item* find(Part part);
  /// The same, of those that are written.
  Item* written(Part part);
  /// Whether a key for a part is there, with nothing as its value.
  bool says_nothing(Part part) const;
  /// All that are written for a part.
  std::vector<Item*> all(Part part);

  /// Values of `find`; nothing where there is no key, or its value is another kind of thing.
  std::optional<double> number(Part part);
  std::optional<bool> truth(Part part);
  std::string text(Part part);

  /// Keys that are not known and seem to say this, where no known key does.
  std::vector<Item*> unplaced(const Aspect& aspect);

  /// All keys for a part are told as not counting, for this reason.
  void set_idle(Part part, const std::string& reason);

  /// Gives a fate to every key that has none yet. `named`: keys that others take their values from.
  /// To be called once, last.
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

/// How many keys a file has as a peer reads it, and how many of them the peer has.
struct Known {
  std::size_t all = 0;
  std::size_t keys = 0;
};
Known known_keys(const Peer& peer, const schema::Node& root);

}  // namespace knead::peers
