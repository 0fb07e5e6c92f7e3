#include "schema/validate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "schema/environment.h"
#include "schema/format.h"
#include "schema/parse.h"
#include "schema/scalar.h"
#include "schema/suggest.h"
#include "schema/type_words.h"
#include "schema/unknown_key.h"
#include "schema/yaml_text.h"

namespace knead::schema {
namespace {

/// Where a value stands: its dotted path, and the key it is the value of.
struct Where {
  std::string path;
  Place key;

  Where child(std::string_view name, Place place) const {
    return {path.empty() ? std::string(name) : fmt::format("{}.{}", path, name), std::move(place)};
  }
};

/// A problem that is not one if an unknown key turns out to be the one that is missing.
struct Pending {
  std::string path;
  Problem problem;
};

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
      : root_(root), catalog_(every_key(root)), home_(std::move(home)), problems_(problems) {}

  Checked run(const Node& tree) {
    Checked checked;
    if (auto node = block(root_, tree, {"", top_of(tree)}, "")) checked.tree = std::move(*node);
    for (Pending& pending : pending_) {
      if (!was_meant(pending.path)) problems_.push_back(std::move(pending.problem));
    }
    checked.doubtful = std::move(doubtful_);
    return checked;
  }

 private:
  static Place top_of(const Node& tree) { return {tree.place.source, 0, 1}; }

  bool was_meant(const std::string& path) const {
    return std::any_of(meant_.begin(), meant_.end(), [&](const std::string& meant) {
      return matches(meant, path) || meant.starts_with(path + ".");
    });
  }

  std::nullopt_t fail(const Where& where, std::string code, Place place, std::string message, std::string hint = "") {
    doubtful_.insert(where.path);
    problems_.push_back({std::move(code), std::move(place), std::move(message), std::move(hint)});
    return std::nullopt;
  }

  /// Fails at a value; says where an alias has it from, and leaves a secret out.
  std::nullopt_t fail_at(const Where& where, const Node& node, std::string code, std::string message,
                         std::string hint = "") {
    if (hint.empty() && node.anchor) hint = fmt::format("the value stands at {}", to_string(node.anchor));
    if (hint.empty() && !node.reference.empty()) hint = fmt::format("the value comes from {}", node.reference);
    fail(where, std::move(code), node.place ? node.place : where.key, std::move(message), std::move(hint));
    return std::nullopt;
  }

  std::optional<Node> check(const Type& type, const Node& node, const Where& where) {
    if (node.broken) {
      doubtful_.insert(where.path);
      return std::nullopt;
    }
    switch (type.shape) {
      case Shape::boolean: return boolean(type, node, where);
      case Shape::integer: return integer(type, node, where);
      case Shape::number: return number(type, node, where);
      case Shape::text: return text(type, node, where);
      case Shape::choice: return choice(type, node, where);
      case Shape::quantity: return quantity(type, node, where);
      case Shape::list: return list(type, node, where);
      case Shape::block: return block(type, node, where, "");
      case Shape::dictionary: return dictionary(type, node, where);
      case Shape::kinds: return kinds(type, node, where);
      case Shape::either: return either(type, node, where);
      case Shape::any: return anything(node, where);
    }
    return std::nullopt;
  }

  std::optional<Node> wrong_type(const Type& type, const Node& node, const Where& where) {
    const std::string expected = type_in_words(type);
    if (!node.is_scalar()) {
      const Place place = where.key && !node.is_list() ? where.key : node.place;
      return fail(where, "wrong-type", place,
                  fmt::format("{} must be {}, not {}", where.path, expected, kind_in_words(node)));
    }
    return fail_at(where, node, "wrong-type",
                   fmt::format("{} must be {}: {}", where.path, expected, as_written(node)),
                   what_to_write(type, node));
  }

  std::optional<Node> boolean(const Type& type, const Node& node, const Where& where) {
    if (node.kind != Node::Kind::boolean) return wrong_type(type, node, where);
    return node;
  }

  std::optional<Node> integer(const Type& type, Node node, const Where& where) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: larger numbers with a point are not exact
    const bool whole = node.kind == Node::Kind::number && node.number == std::floor(node.number) &&
                       std::abs(node.number) <= kExact;
    if (whole) {
      node.kind = Node::Kind::integer;
      node.integer = static_cast<std::int64_t>(node.number);
    }
    if (node.kind != Node::Kind::integer) return wrong_type(type, node, where);
    return bounded(type, std::move(node), where);
  }

  std::optional<Node> number(const Type& type, Node node, const Where& where) {
    if (node.kind != Node::Kind::integer && node.kind != Node::Kind::number) return wrong_type(type, node, where);
    if (!std::isfinite(node.number)) {
      return fail_at(where, node, "not-finite", fmt::format("{} must be a finite number: '{}'", where.path, node.text));
    }
    return bounded(type, std::move(node), where);
  }

  std::optional<Node> bounded(const Type& type, Node node, const Where& where) {
    if (is_within_bounds(type, node.number)) return node;
    return fail_at(where, node, "out-of-range",
                   fmt::format("{} must be {}: {}", where.path, bounds_in_words(type), as_written(node)));
  }

  std::optional<Node> text(const Type& type, Node node, const Where& where) {
    // What comes from the environment cannot be quoted there: it is text where text is wanted.
    if (!node.reference.empty() && node.is_scalar()) node.kind = Node::Kind::text;
    if (node.kind != Node::Kind::text) return wrong_type(type, node, where);
    if (const auto fault = format_fault(type.format, node.text)) {
      return fail_at(where, node, "bad-format", fmt::format("{} {}: '{}'", where.path, *fault, node.text));
    }
    if (type.format == Format::path) node.text = absolute(node);
    return node;
  }

  std::string absolute(const Node& node) const {
    const Source* source = node.place.source.get();
    const std::filesystem::path folder =
        source && source->is_file() && !node.is_default ? source->path().parent_path() : std::filesystem::path(home_);
    return (folder / node.text).lexically_normal().string();
  }

  std::optional<Node> choice(const Type& type, Node node, const Where& where) {
    if (node.kind != Node::Kind::text) return wrong_type(type, node, where);
    if (std::find(type.choices.begin(), type.choices.end(), node.text) != type.choices.end()) return node;
    return unknown_choice(node, where, type.choices);
  }

  std::nullopt_t unknown_choice(const Node& node, const Where& where, std::span<const std::string_view> choices) {
    const std::string_view near = nearest(node.text, choices);
    const std::string all = fmt::format("{}", fmt::join(choices, ", "));
    return fail_at(where, node, "unknown-choice", fmt::format("unknown choice '{}' for {}", node.text, where.path),
                   near.empty() ? fmt::format("{} {}", choices.size() == 1 ? "there is" : "one of", all)
                                : fmt::format("did you mean '{}'? ({})", near, all));
  }

  std::optional<Node> quantity(const Type& type, Node node, const Where& where) {
    const bool is_number = node.kind == Node::Kind::integer || node.kind == Node::Kind::number;
    if (is_number && type.bare) return integer_quantity(type, std::move(node), where);
    if (is_number) {
      return fail_at(where, node, "unit-missing", fmt::format("{} needs a unit: '{}'", where.path, node.text),
                     unit_hint(node.text, type.units));
    }
    if (node.kind != Node::Kind::text) return wrong_type(type, node, where);
    const auto read = read_quantity(node.text, type.units);
    if (const auto* fault = std::get_if<QuantityFault>(&read)) return bad_quantity(*fault, type, node, where);
    const Quantity& quantity = std::get<Quantity>(read);
    if (!is_within_bounds(type, quantity.value)) {
      return fail_at(where, node, "out-of-range",
                     fmt::format("{} must be {}: '{}'", where.path, bounds_in_words(type), node.text));
    }
    node.text = to_string(quantity);
    if (quantity.unit == Unit::rows) resolve_plain(node);
    return node;
  }

  std::optional<Node> integer_quantity(const Type& type, Node node, const Where& where) {
    Type bare = type;
    bare.shape = Shape::integer;
    return integer(bare, std::move(node), where);
  }

  std::nullopt_t bad_quantity(const QuantityFault& fault, const Type& type, const Node& node, const Where& where) {
    using Kind = QuantityFault::Kind;
    switch (fault.kind) {
      case Kind::unit_missing:
        return fail_at(where, node, "unit-missing", fmt::format("{} needs a unit: '{}'", where.path, node.text),
                       unit_hint(fault.number, type.units));
      case Kind::unknown_unit: {
        const std::string_view near = nearest_unit_word(fault.unit, type.units);
        return fail_at(where, node, "unknown-unit", fmt::format("unknown unit '{}' in {}", fault.unit, where.path),
                       near.empty() ? unit_hint(fault.number, type.units)
                                    : fmt::format("did you mean '{} {}'?", fault.number, near));
      }
      case Kind::wrong_unit:
        return fail_at(where, node, "wrong-unit", fmt::format("{} cannot be in '{}'", where.path, fault.unit),
                       unit_hint(fault.number, type.units));
      case Kind::leading_zero:
        return fail_at(where, node, "leading-zero", fmt::format("'{}' begins with a zero", fault.number));
      case Kind::not_whole:
        return fail_at(where, node, "out-of-range",
                       fmt::format("{} must be a whole number of {}: '{}'", where.path, fault.unit, node.text));
      case Kind::not_a_number: break;
    }
    return fail_at(where, node, "wrong-type",
                   fmt::format("{} must be a number with a unit: '{}'", where.path, node.text),
                   unit_hint("10", type.units));
  }

  std::optional<Node> list(const Type& type, const Node& node, const Where& where) {
    if (!node.is_list()) return wrong_type(type, node, where);
    Node out = node;
    out.items.clear();
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const Node& item = node.items[i];
      const Where here = where.child(std::to_string(i), item.place);
      if (item.is_null() && type.items->shape != Shape::any) {
        fail(here, "empty-value", item.place, fmt::format("{} is empty", here.path), "write a value or remove the item");
      } else if (auto checked = check(*type.items, item, here)) {
        out.items.push_back(std::move(*checked));
      }
    }
    const std::size_t n = node.items.size();
    if (n >= type.min_items && n <= type.max_items) return out;
    const Place place = where.key && node.items.empty() ? where.key : node.place;
    return fail(where, "wrong-length", place, fmt::format("{} must have {}, not {}", where.path, length_in_words(type), n));
  }

  std::optional<Node> dictionary(const Type& type, const Node& node, const Where& where) {
    if (!node.is_map()) return wrong_type(type, node, where);
    Node out = node;
    out.entries.clear();
    for (const Entry& entry : node.entries) {
      const Where here = where.child(entry.key, entry.place);
      if (is_removal(entry.value)) continue;
      const bool any = type.items->shape == Shape::any;
      const auto fault = any ? std::nullopt : format_fault(Format::identifier, entry.key);
      if (fault) {
        fail(here, "bad-format", entry.place, fmt::format("a name in {} {}: '{}'", where.path, *fault, entry.key));
      } else if (entry.value.is_null() && !any) {
        fail(here, "empty-value", entry.place, fmt::format("'{}' has no value", here.path), "write a value");
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
    return wrong_type(type, node, where);
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
    if (!node.is_map()) return wrong_type(type, node, where);
    const Entry* chosen = node.entry("type");
    if (!chosen || chosen->value.is_null()) {
      doubtful_.insert(where.path);
      if (chosen && chosen->value.empty) {
        fail(where, "empty-value", chosen->place, fmt::format("'{}.type' has no value", where.path), kinds_hint(type));
      } else {
        missing(where.child("type", {}), where.key, where.path, "type", kinds_hint(type));
      }
      unknown_in_every_kind(type, node, where);
      return std::nullopt;
    }
    const Where type_where = where.child("type", chosen->place);
    if (chosen->value.broken) return check(kAny, chosen->value, where);
    if (chosen->value.kind != Node::Kind::text) return wrong_type(kText, chosen->value, type_where);
    const Kind* kind = find_kind(type, chosen->value.text);
    if (!kind) {
      doubtful_.insert(where.path);
      std::vector<std::string_view> names;
      for (const Kind& known : type.kinds) names.push_back(known.name);
      unknown_choice(chosen->value, type_where, names);
      return std::nullopt;
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
    if (!node.is_map()) return wrong_type(type, node, where);
    Node out = node;
    out.entries.clear();
    for (const Entry& entry : node.entries) {
      const bool own = where.path.empty() && entry.key.starts_with("x-");
      if (own || find_key(type, entry.key) || is_removal(entry.value)) continue;
      unknown(type, entry, node, where, kind);
    }
    for (const Key& key : type.keys) {
      if (auto entry = value_of(key, node, where)) out.entries.push_back(std::move(*entry));
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
      if (guess.meant.empty() && !node.find(key.name)) doubtful_.insert(where.child(key.name, {}).path);
    }
    meant_.insert(guess.meant.begin(), guess.meant.end());
    doubtful_.insert(guess.meant.begin(), guess.meant.end());
    std::string in = where.path.empty() ? "" : fmt::format(" in {}", where.path);
    if (!kind.empty()) in += fmt::format(" ({})", kind);
    problems_.push_back({"unknown-key", entry.place, fmt::format("unknown key '{}'{}", entry.key, in), guess.hint});
  }

  /// A null that a later file or argument wrote over a value takes the key away.
  static bool is_removal(const Node& value) { return value.is_null() && !value.empty && value.replaced; }

  std::optional<Entry> value_of(const Key& key, const Node& node, const Where& where) {
    const Entry* entry = node.entry(key.name);
    const Where here = where.child(key.name, entry ? entry->place : Place{});
    if (entry && entry->value.is_null() && entry->value.empty) {
      doubtful_.insert(here.path);
      pending_.push_back({here.path,
                          {"empty-value", entry->place, fmt::format("'{}' has no value", here.path),
                           key.required ? fmt::format("write '{}: {}', say", key.name, key.example)
                                        : "write a value, or null to leave it out"}});
      return std::nullopt;
    }
    if (!entry || entry->value.is_null()) return without_value(key, where, here);
    if (!key.deprecated.empty()) {
      problems_.push_back({"deprecated-key", entry->place, fmt::format("'{}' is going away", here.path),
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
    doubtful_.insert(here.path);
    const std::string who = block.empty() ? "a recipe" : block;
    pending_.push_back({here.path,
                        {"missing-key", block_key, fmt::format("{} needs '{}'", who, name), std::move(hint)}});
  }

  bool check_secret(const Node& value, const Where& here) {
    if (is_reference(value.reference)) return true;
    doubtful_.insert(here.path);
    problems_.push_back({"secret-written", value.place, fmt::format("{} is a secret and is not written down", here.path),
                         "put it in the environment and write ${env:NAME}", Severity::error, true});
    return false;
  }

  static constexpr Type kAny{};
  static constexpr Type kText{.shape = Shape::text};

  const Type& root_;
  std::vector<Listed> catalog_;
  std::string home_;
  Problems& problems_;
  std::vector<Pending> pending_;
  std::set<std::string> meant_;
  std::set<std::string, std::less<>> doubtful_;
};

std::size_t steps_in(std::string_view path) {
  return path.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
}

std::string_view first_steps(std::string_view path, std::size_t steps) {
  std::size_t end = 0;
  for (; steps > 0; --steps) end = std::min(path.find('.', end + (end > 0)), path.size());
  return path.substr(0, end);
}

}  // namespace

bool Checked::is_certain(std::string_view path) const {
  return std::none_of(doubtful.begin(), doubtful.end(), [&](const std::string& bad) {
    // The shorter path, made as long as it is in steps, must match the beginning of the longer one.
    const std::size_t steps = std::min(steps_in(bad), steps_in(path));
    return matches(first_steps(bad, steps), first_steps(path, steps));
  });
}

Checked validate(const Node& root, const Type& type, const std::string& home, Problems& problems) {
  return Validator(type, home, problems).run(root);
}

}  // namespace knead::schema
