#include "schema/validate/validate.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/table/format.h"
#include "schema/table/type_words.h"
#include "schema/validate/validator.h"

namespace knead::schema {
namespace {

/// The type of values below Shape::any.
constexpr Type kAny{};

}  // namespace

Validator::Validator(const Type& root, std::string home, Problems& problems)
    : root_(root), home_(std::move(home)), findings_(problems) {}

Checked Validator::run(const Node& tree) {
  Checked checked;
  checked.home = home_;
  tree_ = &tree;
  // A missing top-level key has no block to be shown at, so it is reported in line 1.
  const Where top{"", Place{tree.place.source, 0, 1}};
  if (auto node = block(root_, tree, top, "")) checked.tree = std::move(*node);
  checked.doubtful = findings_.finish();
  checked.removed = std::move(removed_);
  return checked;
}

std::nullopt_t Validator::fail(const Where& where, Place place, Fault fault) {
  findings_.report(where, std::move(place), std::move(fault));
  return std::nullopt;
}

std::nullopt_t Validator::fail_at(const Where& where, const Node& node, Fault fault) {
  findings_.report_value(where, node, std::move(fault));
  return std::nullopt;
}

std::optional<Node> Validator::check(const Type& type, const Node& node, const Where& where) {
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

std::optional<Node> Validator::value(const Type& type, const Node& node, const Where& where) {
  auto checked = check_value(type, node, where.path, home_);
  if (auto* fault = std::get_if<Fault>(&checked)) return fail_at(where, node, std::move(*fault));
  return std::get<Node>(std::move(checked));
}

std::optional<Node> Validator::automatic_value(const Type& type, const Node& node,
                                               const Where& where) {
  if (node.broken) return check(type, node, where);
  auto checked = check_value(type, node, where.path, home_);
  const auto* fault = std::get_if<Fault>(&checked);
  if (!fault || fault->code != "wrong-type") return value(type, node, where);
  return fail_at(where, node, wrong_type_or_auto(type, node, where.path));
}

std::optional<Node> Validator::list(const Type& type, const Node& node, const Where& where) {
  if (!node.is_list()) return fail_at(where, node, wrong_type(type, node, where.path));
  Node out = without_children(node);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    // An item without brackets belongs to the key of its list.
    const Where here = where.child(std::to_string(i), node.is_shorthand ? where.key : item.place);
    if (item.is_null() && type.items->shape != Shape::any) {
      fail(here, item.place,
           {"empty-value", fmt::format("{} is empty", here.path),
            "write a value or remove the item"});
    } else if (auto checked = check(*type.items, item, here)) {
      out.items.push_back(std::move(*checked));
    }
  }
  const std::size_t n = node.items.size();
  // A list with a wrong item has its problem already.
  const bool fits = n >= type.min_items && n <= type.max_items;
  if (fits || out.items.size() < n) return out;
  return fail(where, node.place,
              {"wrong-length",
               fmt::format("{} must have {}, not {}", where.path, length_in_words(type), n), ""});
}

std::optional<Node> Validator::dictionary(const Type& type, const Node& node, const Where& where) {
  if (!node.is_map()) return fail_at(where, node, wrong_type(type, node, where.path));
  Node out = without_children(node);
  const bool any = type.items->shape == Shape::any;
  for (const Entry& entry : node.entries) {
    const Where here = where.child(entry.key, entry.place);
    if (is_removal(entry.value)) continue;
    if (const auto fault = any ? std::nullopt : format_fault(type.names, entry.key)) {
      fail(here, entry.place,
           {"bad-format", fmt::format("a name in {} {}: '{}'", where.path, *fault, entry.key), ""});
    } else if (entry.value.is_null() && !any) {
      fail(here, entry.place,
           {"empty-value", fmt::format("'{}' has no value", here.path), "write a value"});
    } else if (auto checked = check(*type.items, entry.value, here)) {
      out.entries.push_back({entry.key, entry.place, std::move(*checked)});
    }
  }
  return out;
}

std::optional<Node> Validator::either(const Type& type, const Node& node, const Where& where) {
  for (const Type* option : type.either) {
    if (kind_fits(*option, node)) return check(*option, node, where);
  }
  return fail_at(where, node, wrong_type(type, node, where.path));
}

std::optional<Node> Validator::anything(const Node& node, const Where& where) {
  Node out = without_children(node);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    auto item = check(kAny, node.items[i], where.child(std::to_string(i), node.items[i].place));
    if (item) out.items.push_back(std::move(*item));
  }
  for (const Entry& entry : node.entries) {
    auto checked = check(kAny, entry.value, where.child(entry.key, entry.place));
    if (checked) out.entries.push_back({entry.key, entry.place, std::move(*checked)});
  }
  return out;
}

bool is_removal(const Node& value) { return value.is_null() && !value.empty && value.replaced; }

Checked validate(const Node& root, const Type& type, const std::string& home, Problems& problems) {
  return Validator(type, home, problems).run(root);
}

}  // namespace knead::schema
