#include "runner/peers/theirs.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/peers/words.h"
#include "schema/scalar.h"
#include "schema/suggest.h"
#include "schema/yaml_text.h"

namespace knead::peers {
namespace {

constexpr std::size_t kMostShown = 60;  // code points of a value in a comment

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_secret(std::string_view path) {
  static constexpr std::array<std::string_view, 6> kWords{"api_key", "hub_token",  "password",
                                                          "secret",  "auth_token", "webhook"};
  return path == "token" || std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
           return path.find(word) != path.npos;
         });
}

std::string shortened(const std::string& text) {
  std::size_t at = 0;
  for (std::size_t points = 0; points < kMostShown && at < text.size(); ++points)
    at += std::max<std::size_t>(1, schema::sequence_length(text, at));
  return at >= text.size() ? text : text.substr(0, at) + "…";
}

/// A value that their YAML 1.1 or their quotes made a text.
schema::Node as_plain(const schema::Node& node) {
  schema::Node plain = schema::text_node(node.text, node.place);
  schema::resolve_plain(plain);
  return plain;
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
  if (is_secret(path) && value.kind == schema::Node::Kind::text && !is_off()) return "(not shown)";
  if (value.kind == schema::Node::Kind::number && value.plain) return value.text;
  // Their quotes stay where the text would be a number without them.
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
  add_habits();
}

/// Blocks whose keys they know one by one are taken apart; any other map is one value.
void Theirs::collect(const std::string& path, const schema::Node& node) {
  if (!node.is_map() || node.entries.empty() || !knows_below(peer_, path)) {
    items_.push_back({.path = path, .value = node});
    return;
  }
  for (const schema::Entry& entry : node.entries) collect(path + "." + entry.key, entry.value);
}

void Theirs::add_habits() {
  for (const Habit& habit : peer_.habits) {
    schema::Node value = schema::text_node(std::string(habit.value), {});
    value.plain = true;
    schema::resolve_plain(value);
    items_.push_back({.path = std::string(habit.theirs),
                      .value = std::move(value),
                      .part = part_of(peer_, habit.theirs),
                      .is_habit = true});
  }
}

Item* Theirs::written(Part part) {
  for (const Counterpart& row : peer_.counterparts) {
    if (row.part != part) continue;
    for (Item& item : items_) {
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

/// Whether a key stands in a block that says `enabled: false`.
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

Recognised recognise(const Peer& peer, const schema::Node& root) {
  Recognised found;
  const Theirs theirs(peer, root);
  for (const Item& item : theirs.items()) {
    if (item.is_habit || !knows(peer, item.path)) continue;
    ++found.keys;
    const std::span<const Peer* const> all = peers();
    found.own += std::none_of(all.begin(), all.end(), [&](const Peer* other) {
      return other != &peer && knows(*other, item.path);
    });
  }
  return found;
}

}  // namespace knead::peers
