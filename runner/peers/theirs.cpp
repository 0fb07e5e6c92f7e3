#include "runner/peers/theirs.h"

#include <algorithm>

#include "runner/peers/aspects.h"
#include "runner/peers/words.h"
#include "schema/document/scalar.h"

namespace knead::peers {
namespace {

/// Returns the aspects that the names of a key and of all keys below it stand for.
std::vector<const Aspect*> aspects_in(const std::string& path, const schema::Node& node) {
  std::vector<const Aspect*> found;
  if (const Aspect* aspect = aspect_named(path)) found.push_back(aspect);
  const auto add = [&](const std::string& key, const schema::Node& value) {
    for (const Aspect* aspect : aspects_in(key, value)) found.push_back(aspect);
  };
  for (const schema::Entry& entry : node.entries) add(path + "." + entry.key, entry.value);
  for (const schema::Node& item : node.items) {
    for (const schema::Entry& entry : item.entries) add(path + "." + entry.key, entry.value);
  }
  return found;
}

/// Returns whether the keys of a block are items of their own: if the trainer knows them one by
/// one, or if the block is unknown and contains a key about the training. Any other map is one
/// value.
bool is_taken_apart(const Peer& peer, const std::string& path, const schema::Node& node) {
  if (!node.is_map() || node.entries.empty()) return false;
  if (knows_below(peer, path)) return true;
  return !knows(peer, path) && !aspects_in(path, node).empty();
}

void count_keys(const Peer& peer, const std::string& path, const schema::Node& node, Known& known) {
  if (is_taken_apart(peer, path, node)) {
    for (const schema::Entry& entry : node.entries)
      count_keys(peer, path + "." + entry.key, entry.value, known);
  } else {
    ++known.all;
    known.keys += knows(peer, path) ? 1 : 0;
  }
}

}  // namespace

Theirs::Theirs(const Peer& peer, const schema::Node& root) : peer_(peer) {
  for (const schema::Entry& entry : root.entries) collect(entry.key, entry.value);
  for (Item& item : items_) item.part = part_of(peer, item.path);
  for (Item& item : items_) leave_auto_open(item);
  for (Item& item : items_) find_aspects(item);
  add_habits();
}

void Theirs::collect(const std::string& path, const schema::Node& node) {
  if (!is_taken_apart(peer_, path, node)) {
    items_.push_back({.path = path, .value = node});
    return;
  }
  for (const schema::Entry& entry : node.entries) collect(path + "." + entry.key, entry.value);
}

/// An unknown key that is off says nothing, unless the trainer has a default for its aspect.
void Theirs::find_aspects(Item& item) const {
  if (item.part || knows(peer_, item.path) || item.is_empty()) return;
  item.aspects = aspects_in(item.path, item.value);
  const std::string guess = nearest_name(peer_, item.path);
  const std::optional<Part> part = part_of(peer_, guess);
  const Aspect* guessed = part && item.aspects.empty() ? aspect_of(*part) : nullptr;
  if (guessed) item.aspects.push_back(guessed);
  const auto is_usual = [&](const Aspect* aspect) {
    return item.is_off() &&
           std::none_of(peer_.habits.begin(), peer_.habits.end(), [&](const Habit& habit) {
             const std::optional<Part> of = part_of(peer_, habit.theirs);
             return of && aspect_of(*of) == aspect;
           });
  };
  std::erase_if(item.aspects, is_usual);
}

std::vector<Item*> Theirs::unplaced(const Aspect& aspect) {
  std::vector<Item*> found;
  for (const Part part : aspect.parts) {
    if (written(part)) return found;
  }
  for (Item& item : items_) {
    const bool says =
        std::find(item.aspects.begin(), item.aspects.end(), &aspect) != item.aspects.end();
    if (says) found.push_back(&item);
  }
  return found;
}

bool Theirs::is_unplaced(Part part) {
  const Aspect* aspect = aspect_of(part);
  return aspect && !unplaced(*aspect).empty();
}

void Theirs::leave_auto_open(Item& item) const {
  const std::optional<Mounted> mounted = mounted_in(peer_, item.path);
  const Peer& peer = mounted ? *mounted->mount->peer : peer_;
  if (!peer.leaves_auto_open || text_of(item) != "auto" || !knows(peer_, item.path)) return;
  item.part.reset();
  item.fate = Fate::idle;
  item.reason = "auto leaves it to the arguments of the script";
}

/// A default is not assumed if an unknown key probably says something else.
void Theirs::add_habits() {
  for (const Habit& habit : peer_.habits) add_habit(std::string(habit.theirs), habit);
  for (const Mount& mount : peer_.mounts) {
    const std::string block = std::string(mount.theirs) + ".";
    const bool is_there = std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
      return item.path.starts_with(block);
    });
    if (!is_there) continue;
    for (const Habit& habit : mount.peer->habits)
      add_habit(block + std::string(habit.theirs), habit);
  }
}

void Theirs::add_habit(const std::string& path, const Habit& habit) {
  const std::optional<Part> part = part_of(peer_, path);
  // Which value a script fills in for "auto" is not known, so it is not the default.
  const bool is_auto = std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
    return item.path == path && item.fate == Fate::idle;
  });
  if (is_auto || (part && is_unplaced(*part))) return;
  schema::Node value = schema::text_node(std::string(habit.value), {});
  value.plain = true;
  schema::resolve_plain(value);
  items_.push_back({.path = path, .value = std::move(value), .part = part, .is_habit = true});
}

Item* Theirs::written(Part part) {
  if (Item* item = written(part, peer_, "")) return item;
  for (const Mount& mount : peer_.mounts) {
    if (Item* item = written(part, *mount.peer, std::string(mount.theirs) + ".")) return item;
  }
  return nullptr;
}

Item* Theirs::written(Part part, const Peer& peer, const std::string& block) {
  for (const Counterpart& row : peer.counterparts) {
    if (row.part != part) continue;
    for (Item& item : items_) {
      // Row by row, the order of the trainer's table decides between two keys, not the file.
      const bool is_it = item.part == part && item.path.starts_with(block) &&
                         fits(row.theirs, std::string_view(item.path).substr(block.size()));
      if (is_it && !item.is_habit && !item.is_empty()) return &item;
    }
  }
  return nullptr;
}

Item* Theirs::find(Part part) {
  if (Item* item = written(part)) return item;
  for (Item& item : items_) {
    if (item.part == part && item.is_habit) return &item;
  }
  return nullptr;
}

bool Theirs::says_nothing(Part part) const {
  return std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
    return item.part == part && !item.is_habit && item.is_empty();
  });
}

std::vector<Item*> Theirs::all(Part part) {
  std::vector<Item*> found;
  for (Item& item : items_) {
    if (item.part == part && !item.is_habit && !item.is_empty()) found.push_back(&item);
  }
  return found;
}

std::optional<double> Theirs::number(Part part) {
  const Item* item = find(part);
  return item ? number_of(*item) : std::nullopt;
}

std::optional<bool> Theirs::truth(Part part) {
  const Item* item = find(part);
  return item ? truth_of(*item) : std::nullopt;
}

std::string Theirs::text(Part part) {
  const Item* item = find(part);
  return item ? text_of(*item) : "";
}

void Theirs::set_idle(Part part, const std::string& reason) {
  for (Item& item : items_) {
    if (item.part != part || item.fate != Fate::open || item.is_habit || item.is_off()) continue;
    item.fate = Fate::idle;
    item.reason = reason;
  }
}

/// Returns whether a key stands in a block with `enabled: false`.
bool Theirs::is_in_disabled(const Item& item) const {
  const std::size_t dot = item.path.rfind('.');
  if (dot == std::string::npos) return false;
  const std::string enabled = item.path.substr(0, dot) + ".enabled";
  return std::any_of(items_.begin(), items_.end(), [&](const Item& other) {
    return other.path == enabled && truth_of(other) == false;
  });
}

void Theirs::settle(const std::set<std::string>& named) {
  for (Item& item : items_) {
    if (item.fate == Fate::open && !item.is_habit) settle(item);
    // The value of an unknown key was used where a reference names it.
    if (item.fate != Fate::unknown || !named.contains(item.path)) continue;
    item.fate = Fate::no_need;
    item.reason = "what it says stands where the file names it";
  }
}

void Theirs::settle(Item& item) {
  const std::optional<Missing> missing = item.part ? std::nullopt : missing_of(peer_, item.path);
  if (missing && (item.is_off() || item.shown() == missing->usual || is_in_disabled(item))) {
    item.fate = Fate::off;
  } else if (missing) {
    item.fate = missing->row->is_needed ? Fate::without : Fate::no_need;
    item.reason = missing->row->reason;
  } else if (item.part) {
    item.fate = item.is_off() || is_in_disabled(item) ? Fate::off : Fate::idle;
    if (item.fate == Fate::idle) item.reason = "beside the other keys it has nothing to act on";
  } else {
    item.fate = Fate::unknown;
    item.reason = nearest_name(peer_, item.path);
  }
}

Known known_keys(const Peer& peer, const schema::Node& root) {
  Known known;
  for (const schema::Entry& entry : root.entries) count_keys(peer, entry.key, entry.value, known);
  return known;
}

}  // namespace knead::peers
