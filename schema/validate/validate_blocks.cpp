#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include <fmt/format.h>

#include "schema/document/parse.h"
#include "schema/merge/environment.h"
#include "schema/validate/validator.h"

namespace knead::schema {
namespace {

Node default_node(std::string_view yaml) {
  Problems none;
  return *parse_yaml(std::make_shared<Source>("default", "default", std::string(yaml)), none);
}

/// Marks a tree as a default, which has no place.
void mark_default(Node& node) {
  node.is_default = true;
  node.place = {};
  for (Node& item : node.items) mark_default(item);
  for (Entry& entry : node.entries) {
    entry.place = {};
    mark_default(entry.value);
  }
}

/// The defaults of keys, checked, for several threads.
struct Defaults {
  std::shared_mutex mutex;
  std::unordered_map<const Key*, std::optional<Entry>> entries;
};

std::vector<std::string_view> names_of_keys(std::span<const Key> keys) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.name);
  return names;
}

Fault empty_value(const Key& key, const Where& block) {
  return {"empty-value", fmt::format("'{}' has no value", block.child(key.name, {}).path),
          key.required ? fmt::format("for example '{}: {}'", key.name, key.example)
                       : "write a value, or null to leave it out"};
}

/// Returns whether a value is the word 'auto' of a key that takes it, and thus asks for the
/// computed default.
bool asks_for_default(const Key& key, const Node& value) {
  return key.automatic && value.text == "auto";
}

/// Returns whether a later file or argument selected another kind than the one that this key was
/// written for.
bool is_left_from_other_kind(const Entry& entry, const Entry* chosen) {
  return chosen && chosen->value.replaced && chosen->value.replaced->text != chosen->value.text &&
         chosen->place.source != entry.place.source;
}

}  // namespace

std::unordered_set<std::string_view> keys_of(const Node& block) {
  std::unordered_set<std::string_view> keys;
  for (const Entry& entry : block.entries) keys.insert(entry.key);
  return keys;
}

bool names_another(const Node& set) {
  const Node* like = set.find("like");
  return like && !like->is_null();
}

/// The list is made on demand: listing all keys takes a third of the time of a recipe without
/// mistakes. The one of recipes is shared by all calls.
const std::vector<Listed>& Validator::catalog() {
  static const std::vector<Listed> of_recipes = every_key(recipe_type());
  if (&root_ == &recipe_type()) return of_recipes;
  if (!catalog_) catalog_ = every_key(root_);
  return *catalog_;
}

const std::vector<WrittenBlock>& Validator::blocks() {
  if (!blocks_) blocks_ = written_blocks(*tree_);
  return *blocks_;
}

std::nullopt_t Validator::not_a_block(const Type& type, const Node& node, const Where& where) {
  Fault fault = wrong_type(type, node, where.path);
  for (const Listed& listed : catalog()) {
    if (!listed.key->example.empty() && listed.is_at(where.path)) {
      fault.hint = fmt::format("for example '{}: {}'", listed.key->name, listed.key->example);
      break;
    }
  }
  return fail_at(where, node, std::move(fault));
}

/// A key without a value is a mistake whatever the kind is.
void Validator::empty_of_unknown_kind(const Type& type, const Entry& entry, const Where& where) {
  for (const Kind& kind : type.kinds) {
    const Key* key = find_key(*kind.type, entry.key);
    if (!key) continue;
    findings_.postpone(where.child(entry.key, entry.place), entry.place, empty_value(*key, where));
    return;
  }
}

std::optional<Node> Validator::block(const Type& type, const Node& node, const Where& where,
                                     std::string_view kind) {
  if (!node.is_map()) return not_a_block(type, node, where);
  const std::unordered_set<std::string_view> keys = keys_of(node);
  const Entry* chosen = node.entry("type");
  Node out = without_children(node);
  for (const Entry& entry : node.entries) {
    const bool own = where.path.empty() && entry.key.starts_with("x-");
    if (own || find_key(type, entry.key) || is_removal(entry.value)) continue;
    unknown(entry, {type, where.path, kind, keys}, where, chosen);
  }
  for (const Key& key : type.keys) {
    const Entry* written = node.entry(key.name);
    if (auto entry = value_of(key, node, where)) {
      out.entries.push_back(std::move(*entry));
    } else if (written && is_removal(written->value) && names_another(node)) {
      out.entries.push_back(
          *written);  // else the set would take the key from the other again when it is read again
    } else if (written && node.is_shorthand && !asks_for_default(key, written->value)) {
      findings_.doubt(where.path);  // `evaluate: true` may mean anything
    }
  }
  return out;
}

void Validator::unknown(const Entry& entry, const BlockContext& block, const Where& where,
                        const Entry* chosen) {
  const bool is_shown = unknown_keys_ < kMostProblems;
  KeyGuess guess = is_shown ? what_is_meant(entry, block, where, chosen) : KeyGuess{};
  ++unknown_keys_;
  std::string in = where.path.empty() ? "" : fmt::format(" in {}", where.path);
  if (!block.kind.empty()) in += fmt::format(" ({})", block.kind);
  findings_.report_unknown_key(
      entry.place, entry.key,
      {"unknown-key", fmt::format("unknown key '{}'{}", entry.key, in), guess.hint}, guess.meant);
}

KeyGuess Validator::what_is_meant(const Entry& entry, const BlockContext& block, const Where& where,
                                  const Entry* chosen) {
  // A guess searches the whole language, and a user does not read more hints than these.
  constexpr std::size_t kMostGuesses = 25;
  const bool is_read = unknown_keys_ < kMostGuesses;
  KeyGuess guess = is_read ? guess_key(entry.key, block, catalog(), blocks()) : KeyGuess{};
  if (is_left_from_other_kind(entry, chosen)) {
    guess.hint =
        fmt::format("the type became '{}' at {}; write '{}: null' there to leave the key out",
                    chosen->value.text, to_string(chosen->place), entry.key);
  }
  // Any key that is not written may be the one that was meant, if nothing is similar, and in a
  // block of optional keys that has none of them.
  const bool knows_none = std::none_of(
      block.type.keys.begin(), block.type.keys.end(),
      [&](const Key& key) { return key.required || block.written.contains(key.name); });
  if (guess.meant.empty() || knows_none) {
    for (const Key& key : block.type.keys) {
      if (!block.written.contains(key.name)) guess.meant.push_back(where.child(key.name, {}).path);
    }
  }
  if (guess.hint.empty() && entry.key.starts_with("x-")) {
    guess.hint = "keys of your own stand at the top level";
  } else if (guess.hint.empty()) {
    guess.hint = where.path.empty() ? "'knead schema --format markdown' lists every key"
                                    : fmt::format("its keys are {}",
                                                  fmt::join(names_of_keys(block.type.keys), ", "));
  }
  return guess;
}

std::optional<Entry> Validator::value_of(const Key& key, const Node& node, const Where& where) {
  const Entry* entry = node.entry(key.name);
  const Where here = where.child(key.name, entry ? entry->place : Place{});
  const bool is_empty = entry && entry->value.is_null() && entry->value.empty;
  const bool from_environment = entry && entry->value.is_null() && !entry->value.reference.empty();
  if (is_empty) {
    findings_.postpone(here, entry->place, empty_value(key, where));
    return std::nullopt;
  }
  if (from_environment && key.type->shape != Shape::text) {
    fail_at(here, entry->value, {"empty-value", fmt::format("'{}' is nothing", here.path), ""});
    return std::nullopt;
  }
  if (!entry && node.is_incomplete) {
    findings_.doubt(here.path);
    return std::nullopt;
  }
  if (!entry || (entry->value.is_null() && !from_environment)) {
    if (entry) removed_.emplace(here.path, entry->value.place);
    if (key.required) missing(key, node, where);
    return default_of(key, here);
  }
  if (!may_be_checked(key, *entry, here)) return std::nullopt;
  if (asks_for_default(key, entry->value)) return std::nullopt;
  auto value = key.automatic ? automatic_value(*key.type, entry->value, here)
                             : check(*key.type, entry->value, here);
  if (!value) return std::nullopt;
  value->secret = key.secret;
  return Entry{entry->key, entry->place, std::move(*value)};
}

bool Validator::may_be_checked(const Key& key, const Entry& entry, const Where& here) {
  if (!key.deprecated.empty()) {
    findings_.add({"deprecated-key", entry.place, fmt::format("'{}' is going away", here.path),
                   std::string(key.deprecated), Severity::warning});
  }
  // What is wrong with a broken value has been reported.
  if (!key.secret || entry.value.broken || is_reference(entry.value.reference)) return true;
  findings_.doubt(here.path);
  findings_.add({"secret-written", entry.value.place,
                 fmt::format("{} is a secret and is not written down", here.path),
                 "put it in the environment and write ${env:NAME}", Severity::error, true});
  return false;
}

/// The defaults of recipes are the same in each, and reading them takes half of the time of a
/// recipe without mistakes; so they are kept for those who check many.
std::optional<Entry> Validator::default_of(const Key& key, const Where& here) {
  if (!key.has_default) return std::nullopt;
  if (&root_ != &recipe_type()) return make_default(key, here);
  static Defaults of_recipes;
  {
    const std::shared_lock lock(of_recipes.mutex);
    const auto known = of_recipes.entries.find(&key);
    if (known != of_recipes.entries.end()) return known->second;
  }
  const std::optional<Entry> made = make_default(key, here);
  const std::lock_guard lock(of_recipes.mutex);
  of_recipes.entries.emplace(&key, made);
  return made;
}

std::optional<Entry> Validator::make_default(const Key& key, const Where& here) {
  auto value = check(*key.type, default_node(key.default_value), here);
  if (!value) return std::nullopt;
  mark_default(*value);
  return Entry{std::string(key.name), {}, std::move(*value)};
}

void Validator::missing(const Key& key, const Node& node, const Where& where) {
  const Where here = where.child(key.name, {});
  findings_.doubt(here.path);
  if (names_another(node)) return;  // reported at the other set, which lacks it too
  const std::string hint =
      key.example.empty() ? "" : fmt::format("for example '{}: {}'", key.name, key.example);
  const std::string who = where.path.empty() ? "a recipe" : where.path;
  const Entry* written = node.entry(key.name);
  if (written) {
    findings_.report(here, written->value.place,
                     {"missing-key", fmt::format("'{}' cannot be left out", here.path), hint});
    return;
  }
  findings_.postpone(here, where.key,
                     {"missing-key", fmt::format("{} needs '{}'", who, key.name), hint},
                     {where.path.empty() ? "like" : where.path + ".like"});
}

}  // namespace knead::schema
