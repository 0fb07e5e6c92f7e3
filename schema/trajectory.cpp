#include "schema/trajectory.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/document/yaml_text.h"
#include "schema/table/catalog.h"
#include "schema/table/table.h"

namespace knead::schema {
namespace {

/// Returns whether a key only says where the run is stored.
bool names_the_run(const std::string& path) { return path == "name" || path == "output"; }

/// Returns whether a type is a path or a list of paths.
bool is_path(const Type* type) {
  if (type && type->shape == Shape::list) return is_path(type->items);
  return type && type->format == Format::path;
}

/// Returns whether a value is written on one line: a scalar, a list of scalars, or an empty map. A
/// list with a secret is not, because each item is then shown as its reference.
bool is_leaf(const Node& node) {
  if (node.is_map()) return node.entries.empty();
  return std::all_of(node.items.begin(), node.items.end(),
                     [](const Node& item) { return item.is_scalar() && !item.secret; });
}

class Walk {
 public:
  Trajectory run(const Node& tree) {
    block(tree, &recipe_type(), "");
    return std::move(out_);
  }

 private:
  void block(const Node& map, const Type* type, const std::string& path) {
    type = block_of(type, map);
    for (const Entry& entry : map.entries) {
      const Key* key = type ? find_key(*type, entry.key) : nullptr;
      const std::string name = text_as_yaml(entry.key);
      const std::string below = path.empty() ? name : path + "." + name;
      if ((key && key->resume_free) || names_the_run(below)) continue;
      value(entry.value, type ? type_of_child(*type, entry.key) : nullptr, below);
    }
  }

  void value(const Node& node, const Type* type, const std::string& path) {
    // A run may move to another machine, where the same files have other paths.
    if (is_path(type)) return;
    if (is_leaf(node)) {
      out_.emplace_back(path, node.secret ? node.reference : flow_as_yaml(node));
    } else if (node.is_map()) {
      block(node, type, path);
    } else {
      const Type* items = type && type->shape == Shape::list ? type->items : nullptr;
      for (std::size_t i = 0; i < node.items.size(); ++i)
        value(node.items[i], items, fmt::format("{}.{}", path, i));
    }
  }

  Trajectory out_;
};

/// Returns whether a tree contains a share of the run, such as "10%".
bool has_share(const Node& node) {
  const auto entry_has = [](const Entry& entry) { return has_share(entry.value); };
  return node.text.ends_with('%') || std::any_of(node.items.begin(), node.items.end(), has_share) ||
         std::any_of(node.entries.begin(), node.entries.end(), entry_has);
}

/// Adds the length of the schedule if it is not written, and the length of the run if another value
/// is a share of it. train.until itself may change on resume, but not its effect on the steps so
/// far.
void add_length(const Node& tree, Trajectory& out) {
  const Node& schedule = tree.at("schedule");
  const Node& until = tree.at("train").at("until");
  const Node* average = tree.find("average");
  const bool has_over = find_key(*block_of(type_at(recipe_type(), "schedule"), schedule), "over");
  if (has_over && !schedule.find("over")) out.emplace_back("schedule.over", flow_as_yaml(until));
  if ((!has_over && has_share(schedule)) || (average && has_share(*average)))
    out.emplace_back("train.until", flow_as_yaml(until));
}

/// Adds distributed.gather if ranks send rounded parameters. The other keys of the block change the
/// result to rounding only, so a resumed run may change them.
void add_gather(const Node& tree, Trajectory& out) {
  const Node* distributed = tree.find("distributed");
  const Node* gather = distributed ? distributed->find("gather") : nullptr;
  if (gather && gather->text != "fp32")
    out.emplace_back("distributed.gather", flow_as_yaml(*gather));
}

/// Returns whether a resumed run may change a key. A version before this one may have thought
/// otherwise, so that the key stands in its checkpoints.
bool is_free(const Type& block, std::string_view path) {
  const auto of_kind = [&](const Kind& kind) { return is_free(*kind.type, path); };
  if (std::any_of(block.kinds.begin(), block.kinds.end(), of_kind)) return true;
  const std::string_view name = path.substr(0, path.find('.'));
  const Key* key = find_key(block, name);
  if (key && key->resume_free) return true;
  const Type* below = path.size() > name.size() ? type_of_child(block, name) : nullptr;
  return below && is_free(*below, path.substr(name.size() + 1));
}

const std::string* find(const Trajectory& trajectory, const std::string& key) {
  for (const auto& [name, text] : trajectory) {
    if (name == key) return &text;
  }
  return nullptr;
}

std::string shown(const std::optional<std::string>& text) { return text ? *text : "(none)"; }

}  // namespace

Trajectory trajectory(const Node& tree) {
  Trajectory out = Walk().run(tree);
  add_length(tree, out);
  add_gather(tree, out);
  return out;
}

std::string to_text(const Trajectory& trajectory) {
  std::string text;
  for (const auto& [key, value] : trajectory) text += fmt::format("{}: {}\n", key, value);
  return text;
}

std::vector<KeyChange> changes(const Trajectory& before, const Trajectory& now) {
  std::vector<KeyChange> all;
  for (const auto& [key, text] : now) {
    const std::string* old = find(before, key);
    if (!old) {
      all.push_back({key, std::nullopt, text});
    } else if (*old != text) {
      all.push_back({key, *old, text});
    }
  }
  for (const auto& [key, text] : before) {
    if (!find(now, key) && !is_free(recipe_type(), key)) all.push_back({key, text, std::nullopt});
  }
  return all;
}

Error resume_refused(const std::string& run_folder, const std::string& name,
                     const std::vector<KeyChange>& changed) {
  std::size_t widest = 0;
  for (const KeyChange& change : changed) widest = std::max(widest, change.key.size());
  std::string message =
      fmt::format("{} cannot be resumed, because the recipe has changed:", run_folder);
  bool is_length = false;
  for (const KeyChange& change : changed) {
    message += fmt::format("\n  {:<{}}  {} → {}", change.key, widest, shown(change.before),
                           shown(change.now));
    is_length |= change.key == "schedule.over" && change.before && change.now;
  }
  std::string remedy =
      fmt::format("--fresh starts over and keeps the old run as {}.old-<n>; name={}-2 keeps both",
                  run_folder, name);
  // A user who only changed train.until does not expect a change of schedule.over.
  if (is_length) remedy += "; schedule.over is train.until unless it is written";
  return Error(message, remedy, Exit::resume_refused);
}

}  // namespace knead::schema
