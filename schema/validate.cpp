#include "schema/validate.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/environment.h"
#include "schema/findings.h"
#include "schema/format.h"
#include "schema/parse.h"
#include "schema/type_words.h"
#include "schema/unknown_key.h"

namespace knead::schema {
namespace {

Node default_node(std::string_view yaml) {
  Problems none;
  Node node = *parse_yaml(std::make_shared<Source>("default", "default", std::string(yaml)), none);
  return node;
}

void mark_default(Node& node) {
  node.is_default = true;
  node.place = {};
  for (Node& item : node.items) mark_default(item);
  for (Entry& entry : node.entries) {
    entry.place = {};
    mark_default(entry.value);
  }
}

class Validator {
 public:
  Validator(const Type& root, std::string home, Problems& problems)
      : root_(root), catalog_(every_key(root)), home_(std::move(home)), findings_(problems) {}

  Checked run(const Node& tree) {
    Checked checked;
    // What the top lacks is reported in line 1.
    const Where top{"", Place{tree.place.source, 0, 1}};
    if (auto node = block(root_, tree, top, "")) checked.tree = std::move(*node);
    checked.doubtful = findings_.finish();
    return checked;
  }

 private:
  std::nullopt_t fail(const Where& where, Place place, Fault fault) {
    findings_.report(where, std::move(place), std::move(fault));
    return std::nullopt;
  }

  std::nullopt_t fail_at(const Where& where, const Node& node, Fault fault) {
    findings_.report_value(where, node, std::move(fault));
    return std::nullopt;
  }

  std::optional<Node> check(const Type& type, const Node& node, const Where& where) {
    if (node.broken) {
      findings_.doubt(where.path);
      return std::nullopt;
    }
    switch (type.shape) {
      case Shape::list: return list(type, node, where);
      case Shape::block: return block(type, node, where, "");
      case Shape::dictionary: return dictionary(type, node, where);
      case Shape::kinds: return kinds(type, node, where);
      case Shape::either: return either(type, node, where);
      case Shape::any: return anything(node, where);
      default: return value(type, node, where);
    }
  }

  std::optional<Node> value(const Type& type, const Node& node, const Where& where) {
    auto checked = check_value(type, node, where.path, home_);
    if (auto* fault = std::get_if<Fault>(&checked)) return fail_at(where, node, std::move(*fault));
    return std::get<Node>(std::move(checked));
  }

  std::optional<Node> list(const Type& type, const Node& node, const Where& where) {
    if (!node.is_list()) return fail_at(where, node, wrong_type(type, node, where.path));
    Node out = node;
    out.items.clear();
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& item = node.items[i];
      const Where here = where.child(std::to_string(i), item.place);
      if (item.is_null() && type.items->shape != Shape::any) {
        fail(here, item.place, {"empty-value", fmt::format("{} is empty", here.path), "write a value or remove the item"});
      } else if (auto checked = check(*type.items, item, here)) {
        out.items.push_back(std::move(*checked));
      }
    }
    const std::size_t n = node.items.size();
    if (n >= type.min_items && n <= type.max_items) return out;
    const Place place = where.key && node.items.empty() ? where.key : node.place;
    return fail(where, place,
                {"wrong-length", fmt::format("{} must have {}, not {}", where.path, length_in_words(type), n), ""});
  }

  std::optional<Node> dictionary(const Type& type, const Node& node, const Where& where) {
    if (!node.is_map()) return fail_at(where, node, wrong_type(type, node, where.path));
    Node out = node;
    out.entries.clear();
    for (const Entry& entry : node.entries) {
      const Where here = where.child(entry.key, entry.place);
      if (is_removal(entry.value)) continue;
      const bool any = type.items->shape == Shape::any;
      const auto fault = any ? std::nullopt : format_fault(Format::identifier, entry.key);
      if (fault) {
        fail(here, entry.place,
             {"bad-format", fmt::format("a name in {} {}: '{}'", where.path, *fault, entry.key), ""});
      } else if (entry.value.is_null() && !any) {
        fail(here, entry.place, {"empty-value", fmt::format("'{}' has no value", here.path), "write a value"});
      } else if (auto checked = check(*type.items, entry.value, here)) {
        out.entries.push_back({entry.key, entry.place, std::move(*checked)});
      }
    }
    return out;
  }

  std::optional<Node> either(const Type& type, const Node& node, const Where& where) {
    for (const Type* option : type.either) {
      if (kind_fits(*option, node)) return check(*option, node, where);
    }
    return fail_at(where, node, wrong_type(type, node, where.path));
  }

  std::optional<Node> anything(const Node& node, const Where& where) {
    Node out = node;
    out.items.clear();
    out.entries.clear();
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      auto item = check(kAny, node.items[i], where.child(std::to_string(i), node.items[i].place));
      if (item) out.items.push_back(std::move(*item));
    }
    for (const Entry& entry : node.entries) {
      auto value = check(kAny, entry.value, where.child(entry.key, entry.place));
      if (value) out.entries.push_back({entry.key, entry.place, std::move(*value)});
    }
    return out;
  }

  std::optional<Node> kinds(const Type& type, const Node& node, const Where& where) {
    if (!node.is_map()) return fail_at(where, node, wrong_type(type, node, where.path));
    const Entry* chosen = node.entry("type");
    if (!chosen || chosen->value.is_null()) {
      findings_.doubt(where.path);
      if (chosen && chosen->value.empty) {
        fail(where, chosen->place,
             {"empty-value", fmt::format("'{}.type' has no value", where.path), kinds_hint(type)});
      } else {
        missing(where.child("type", {}), where.key, where.path, "type", kinds_hint(type));
      }
      unknown_in_every_kind(type, node, where);
      return std::nullopt;
    }
    const Where type_where = where.child("type", chosen->place);
    if (chosen->value.broken) return check(kAny, chosen->value, where);
    if (chosen->value.kind != Node::Kind::text) return fail_at(type_where, chosen->value, wrong_type(kText, chosen->value, type_where.path));
    const Kind* kind = find_kind(type, chosen->value.text);
    if (!kind) {
      findings_.doubt(where.path);
      std::vector<std::string_view> names;
      for (const Kind& known : type.kinds) names.push_back(known.name);
      return fail_at(type_where, chosen->value, unknown_choice(chosen->value.text, type_where.path, names));
    }
    return block(*kind->type, node, where, kind->name);
  }

  static std::string kinds_hint(const Type& type) {
    std::vector<std::string_view> names;
    for (const Kind& known : type.kinds) names.push_back(known.name);
    return fmt::format("{} {}", names.size() == 1 ? "there is" : "one of", fmt::join(names, ", "));
  }

  /// Without a type, a key is unknown only if no kind knows it.
  void unknown_in_every_kind(const Type& type, const Node& node, const Where& where) {
    for (const Entry& entry : node.entries) {
      if (!type_of_child(type, entry.key)) unknown(*type.kinds[0].type, entry, node, where, "");
    }
  }

  std::optional<Node> block(const Type& type, const Node& node, const Where& where, std::string_view kind) {
    if (!node.is_map()) return fail_at(where, node, wrong_type(type, node, where.path));
    Node out = node;
    out.entries.clear();
    for (const Entry& entry : node.entries) {
      const bool own = where.path.empty() && entry.key.starts_with("x-");
      if (own || find_key(type, entry.key) || is_removal(entry.value)) continue;
      unknown(type, entry, node, where, kind);
    }
    for (const Key& key : type.keys) {
      const Entry* written = node.entry(key.name);
      if (auto entry = value_of(key, node, where)) {
        out.entries.push_back(std::move(*entry));
      } else if (written && is_removal(written->value) && node.find("like")) {
        out.entries.push_back(*written);  // else the set would take the key from the other again when it is read again
      }
    }
    return out;
  }

  void unknown(const Type& type, const Entry& entry, const Node& node, const Where& where, std::string_view kind) {
    KeyGuess guess = guess_key(entry.key, type, where.path, catalog_);
    const Entry* chosen = node.entry("type");
    const bool from_below = chosen && !kind.empty() && chosen->place.source != entry.place.source;
    if (from_below) {
      guess.hint = fmt::format("the type became '{}' at {}; write '{}: null' there to leave the key out", kind,
                               to_string(chosen->place), entry.key);
    }
    // Without a guess any key that is not written may be the one that was meant.
    for (const Key& key : type.keys) {
      if (guess.meant.empty() && !node.find(key.name)) findings_.doubt(where.child(key.name, {}).path);
    }
    std::string in = where.path.empty() ? "" : fmt::format(" in {}", where.path);
    if (!kind.empty()) in += fmt::format(" ({})", kind);
    findings_.report_unknown_key(entry.place, entry.key,
                                 {"unknown-key", fmt::format("unknown key '{}'{}", entry.key, in), guess.hint},
                                 guess.meant);
  }

  /// A null that a later file or argument wrote over a value takes the key away.
  static bool is_removal(const Node& value) { return value.is_null() && !value.empty && value.replaced; }

  std::optional<Entry> value_of(const Key& key, const Node& node, const Where& where) {
    const Entry* entry = node.entry(key.name);
    const Where here = where.child(key.name, entry ? entry->place : Place{});
    if (entry && entry->value.is_null() && entry->value.empty) {
      findings_.postpone(here, entry->place,
                         {"empty-value", fmt::format("'{}' has no value", here.path),
                key.required ? fmt::format("for example '{}: {}'", key.name, key.example)
                             : "write a value, or null to leave it out"});
      return std::nullopt;
    }
    if (!entry || entry->value.is_null()) return without_value(key, where, here);
    if (!key.deprecated.empty()) {
      findings_.add({"deprecated-key", entry->place, fmt::format("'{}' is going away", here.path),
                     std::string(key.deprecated), Severity::warning});
    }
    if (key.automatic && entry->value.text == "auto") return std::nullopt;
    if (key.secret && !check_secret(entry->value, here)) return std::nullopt;
    auto value = check(*key.type, entry->value, here);
    if (!value) return std::nullopt;
    value->secret = key.secret;
    return Entry{entry->key, entry->place, std::move(*value)};
  }

  std::optional<Entry> without_value(const Key& key, const Where& where, const Where& here) {
    if (key.required) {
      const std::string hint = key.example.empty() ? "" : fmt::format("for example '{}: {}'", key.name, key.example);
      missing(here, where.key, where.path, key.name, hint);
    }
    if (!key.has_default) return std::nullopt;
    Node node = default_node(key.default_value);
    auto value = check(*key.type, node, here);
    if (!value) return std::nullopt;
    mark_default(*value);
    return Entry{std::string(key.name), {}, std::move(*value)};
  }

  void missing(const Where& here, const Place& block_key, const std::string& block, std::string_view name,
               std::string hint) {
    const std::string who = block.empty() ? "a recipe" : block;
    findings_.postpone(here, block_key, {"missing-key", fmt::format("{} needs '{}'", who, name), std::move(hint)});
  }

  bool check_secret(const Node& value, const Where& here) {
    if (is_reference(value.reference)) return true;
    findings_.doubt(here.path);
    findings_.add({"secret-written", value.place, fmt::format("{} is a secret and is not written down", here.path),
                   "put it in the environment and write ${env:NAME}", Severity::error, true});
    return false;
  }

  static constexpr Type kAny{};
  static constexpr Type kText{.shape = Shape::text};

  const Type& root_;
  std::vector<Listed> catalog_;
  std::string home_;
  Findings findings_;
};

}  // namespace

Checked validate(const Node& root, const Type& type, const std::string& home, Problems& problems) {
  return Validator(type, home, problems).run(root);
}

}  // namespace knead::schema
