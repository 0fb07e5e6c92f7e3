#include "runner/peers/theirs.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/peers/aspects.h"
#include "runner/peers/secrets.h"
#include "runner/peers/words.h"
#include "schema/document/scalar.h"
#include "schema/document/suggest.h"
#include "schema/document/yaml_text.h"

namespace knead::peers {
namespace {

constexpr std::size_t kMostShown = 60;  // code points of a value in a comment

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Cuts a text after kMostShown code points.
std::string shortened(const std::string& text) {
  std::size_t at = 0;
  for (std::size_t points = 0; points < kMostShown && at < text.size(); ++points)
    at += std::max<std::size_t>(1, schema::sequence_length(text, at));
  return at >= text.size() ? text : text.substr(0, at) + "…";
}

/// Resolves a value that YAML 1.1 rules or quotes made a text.
schema::Node as_plain(const schema::Node& node) {
  schema::Node plain = schema::text_node(node.text, node.place);
  schema::resolve_plain(plain);
  return plain;
}

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

bool Item::is_empty() const {
  if (value.is_null()) return true;
  if (value.is_list()) return value.items.empty();
  if (value.is_map()) return value.entries.empty();
  return value.kind == schema::Node::Kind::text && (value.text.empty() || value.text == "None");
}

bool Item::is_off() const {
  static constexpr std::array<std::string_view, 5> kWords{"none", "no", "off", "false", "null"};
  if (is_empty()) return true;
  if (value.kind == schema::Node::Kind::boolean) return !value.boolean;
  if (const std::optional<double> number = number_of(*this); number)
    return *number == 0 || *number == -1;
  return is_one_of(schema::folded(value.text), kWords);
}

std::string Item::shown() const {
  if (!is_off() && holds_secret(path, value)) return "(not shown)";
  if (value.kind == schema::Node::Kind::number && value.plain) return value.text;
  // Quotes stay where the text would be a number without them.
  std::string text = schema::flow_as_yaml(value);
  for (std::size_t at = text.find("$${"); at != text.npos; at = text.find("$${", at + 1))
    text.erase(at, 1);
  return shortened(text);
}

std::string Item::in_words() const { return path + ": " + shown(); }

std::string text_of(const Item& item) {
  return item.value.is_scalar() && !item.is_empty() ? item.value.text : "";
}

std::optional<bool> truth_of(const Item& item) {
  static constexpr std::array<std::string_view, 4> kYes{"true", "yes", "on", "y"};
  static constexpr std::array<std::string_view, 4> kNo{"false", "no", "off", "n"};
  if (item.value.kind == schema::Node::Kind::boolean) return item.value.boolean;
  if (!item.value.is_scalar()) return std::nullopt;
  const std::string word = schema::folded(item.value.text);
  if (word == "1" || is_one_of(word, kYes)) return true;
  if (word == "0" || is_one_of(word, kNo)) return false;
  return std::nullopt;
}

std::optional<double> number_of(const Item& item) {
  using Kind = schema::Node::Kind;
  if (!item.value.is_scalar()) return std::nullopt;
  const schema::Node node = item.value.kind == Kind::text ? as_plain(item.value) : item.value;
  const bool is_number = node.kind == Kind::number || node.kind == Kind::integer;
  return is_number ? std::optional(node.number) : std::nullopt;
}

std::string number_as_yaml(const Item& item) { return item.value.text; }

Theirs::Theirs(const Peer& peer, const schema::Node& root) : peer_(peer) {
  for (const schema::Entry& entry : root.entries) collect(entry.key, entry.value);
  for (Item& item : items_) item.part = part_of(peer, item.path);
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

/// A default is not assumed if an unknown key probably says something else.
void Theirs::add_habits() {
  for (const Habit& habit : peer_.habits) {
    const std::optional<Part> part = part_of(peer_, habit.theirs);
    if (part && is_unplaced(*part)) continue;
    schema::Node value = schema::text_node(std::string(habit.value), {});
    value.plain = true;
    schema::resolve_plain(value);
    items_.push_back({.path = std::string(habit.theirs),
                      .value = std::move(value),
                      .part = part,
                      .is_habit = true});
  }
}

Item* Theirs::written(Part part) {
  for (const Counterpart& row : peer_.counterparts) {
    if (row.part != part) continue;
    for (Item& item : items_) {
      // Row by row, the order of the trainer's table decides between two keys, not the file.
      const bool is_it = item.part == part && fits(row.theirs, item.path);
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
