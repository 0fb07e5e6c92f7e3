#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/front/engine.h"
#include "runner/front/line/terminal.h"
#include "runner/front/sweeps/explain_sweep.h"
#include "runner/front/verb.h"
#include "schema/document/standard_streams.h"
#include "schema/document/suggest.h"
#include "schema/document/yaml_text.h"
#include "schema/load.h"
#include "schema/render.h"
#include "schema/rules/problem_kinds.h"
#include "schema/table/catalog.h"
#include "schema/table/key_words.h"

namespace knead::front {
namespace {

using schema::Listed;

bool is_named(const Listed& listed, const std::string& asked) {
  const std::string& path = listed.path();
  return schema::matches(path, asked) || path == asked;
}

/// Returns the keys that a user may mean: by their full path, by their path without the parts for
/// items ("expect.metric"), else by the last part of the path.
std::vector<Listed> find_keys(const std::string& asked) {
  const std::vector<Listed> all = schema::every_key(schema::recipe_type());
  std::vector<Listed> found;
  for (const Listed& listed : all) {
    if (is_named(listed, asked) || schema::without_stars(listed.path()) == asked)
      found.push_back(listed);
  }
  for (const Listed& listed : all) {
    // A key at the top level ("batch") has the name of others deeper down, which are shown as well.
    if (found.empty() || found[0].key->name == asked) {
      if (listed.key->name == asked && !is_named(listed, asked)) found.push_back(listed);
    }
  }
  return found;
}

/// Returns the key that holds a name which the user chooses: model.args for "model.args.width".
/// Empty if there is none.
std::vector<Listed> find_holder(const std::string& asked) {
  for (std::size_t dot = asked.rfind('.'); dot != asked.npos && dot > 0;
       dot = asked.rfind('.', dot - 1)) {
    const std::string holder = asked.substr(0, dot);
    std::vector<Listed> found = find_keys(holder);
    const bool holds = !found.empty() && found[0].path() == holder &&
                       found[0].key->type->shape == schema::Shape::dictionary;
    if (holds) return {found[0]};
  }
  return {};
}

/// Returns the keys that correspond to a name from another trainer, or one text that describes the
/// counterpart; empty if the name is unknown.
std::vector<std::string> names_here(const std::string& asked) {
  std::vector<std::string> paths;
  for (const Listed& listed : schema::every_key(schema::recipe_type())) {
    const std::string path = schema::without_stars(listed.path());
    for (const std::string_view also : listed.key->also) {
      const schema::Brought one = schema::brought(also);
      const bool is_new = std::find(paths.begin(), paths.end(), path) == paths.end();
      if (schema::folded(one.name) != schema::folded(asked)) continue;
      if (!one.words.empty()) return {std::string(one.words)};
      if (is_new) paths.push_back(path);
    }
  }
  return paths;
}

/// Throws an error for an unknown key. The hint names a near key, or the key that corresponds to a
/// name of another trainer.
[[noreturn]] void refuse_key(const std::string& asked) {
  std::vector<std::string> paths;
  for (const Listed& listed : schema::every_key(schema::recipe_type())) {
    paths.push_back(schema::without_stars(listed.path()));
    paths.emplace_back(listed.key->name);
  }
  const std::vector<std::string> here = names_here(asked);
  const std::string hint =
      here.empty()
          ? schema::did_you_mean(asked, paths, "'knead schema --format markdown' lists every key")
          : fmt::format("in knead: {}", fmt::join(here, ", "));
  throw Error(fmt::format("there is no key '{}'", asked), hint, Exit::invalid_recipe);
}

/// Adds what a key of sweep.over means itself, or throws an error if there is no such key.
void add_swept_key(const std::string& asked, std::vector<Listed>& keys) {
  std::vector<Listed> swept = find_keys(asked);
  if (swept.empty()) swept = find_holder(asked);
  if (swept.empty()) refuse_key(asked);
  std::erase_if(swept, [&](const Listed& each) { return !is_named(each, asked); });
  keys.insert(keys.end(), swept.begin(), swept.end());
}

std::string shown_value(const schema::Node& node) {
  return node.secret ? node.reference : schema::flow_as_yaml(node);
}

/// Returns lines with the value of a key in a recipe, its origin, and the values that it replaced.
std::string in_recipe(const std::string& path, const schema::Node& tree, const Listed& listed) {
  const schema::Node* node = schema::find_path(tree, path);
  if (!node) {
    const std::string& computed = std::string(listed.key->computed_default);
    return fmt::format("  here       not written{}\n", computed.empty() ? "" : "; " + computed) +
           values_in_sweep(path, tree);
  }
  std::string out =
      fmt::format("  here       {}  ({})\n", shown_value(*node), schema::origin_in_words(*node));
  for (const schema::Node* below = node->replaced.get(); below; below = below->replaced.get()) {
    if (below->is_null() && !below->place) break;
    if (!below->is_null() || below->text.size() > 0) {
      out += fmt::format("  instead of {}  ({})\n", shown_value(*below),
                         schema::origin_in_words(*below));
    }
  }
  return out + values_in_sweep(path, tree);
}

/// Groups the kinds of a block that have a key with the same description.
struct Alike {
  Listed first;
  std::vector<std::string> kinds;
  std::string words;

  std::string header() const {
    if (kinds.empty()) return first.path() + "\n";
    return fmt::format("{} ({})\n", first.path(), fmt::join(kinds, ", "));
  }
};

/// Groups keys with the same path and description. If `tree` is a recipe, and not empty, skips the
/// keys of other kinds than those of the recipe.
std::vector<Alike> those_alike(const std::vector<Listed>& keys, const schema::Node& tree) {
  std::vector<Alike> all;
  for (const Listed& listed : keys) {
    const schema::Node* type =
        tree.entries.empty() ? nullptr : schema::find_path(tree, listed.block + ".type");
    const bool other_kind = !listed.kind.empty() && type && type->text != listed.kind;
    if (other_kind) continue;
    const std::string words = schema::key_in_words(*listed.key);
    auto found = std::find_if(all.begin(), all.end(), [&](const Alike& each) {
      return each.first.path() == listed.path() && each.words == words;
    });
    if (found == all.end()) found = all.insert(all.end(), {listed, {}, words});
    if (!listed.kind.empty()) found->kinds.push_back(listed.kind);
  }
  return all;
}

/// Prints what the word in brackets behind a message stands for; returns false for another word.
bool explain_kind(const std::string& asked) {
  const auto kinds = schema::problem_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const schema::ProblemKind& each) {
    return each.code == asked;
  });
  if (kind == kinds.end()) return false;
  print_lines(fmt::format("{}\n  {}\n", kind->code, kind->words));
  return true;
}

}  // namespace

Exit explain(const Arguments& arguments) {
  const Verb& verb = *find_verb("explain");
  if (arguments.files.empty() || arguments.files.size() > 2) {
    throw Error("'explain' takes a key, and a recipe if you like", "for example: " + verb.example,
                Exit::invalid_recipe);
  }
  const std::string& asked = arguments.files[0];
  std::vector<Listed> keys = find_keys(asked);
  const bool is_own_name = keys.empty();
  if (is_own_name) keys = find_holder(asked);
  if (keys.empty() && explain_kind(asked)) return Exit::done;
  if (keys.empty()) refuse_key(asked);
  const std::string holder = is_own_name ? keys[0].path() : "";
  if (holder == "sweep.over") add_swept_key(asked.substr(holder.size() + 1), keys);
  const bool has_recipe = arguments.files.size() == 2;
  std::string file;
  schema::Node tree;
  schema::Problems problems;
  if (has_recipe) {
    const schema::World world = schema::this_world();
    const NamedRecipe named = recipe_at(arguments.files[1], arguments.overrides);
    file = named.file;
    tree = schema::read_as_far_as_possible(file, named.overrides, world, problems).tree;
    // A recipe with mistakes is explained as far as it was read; without any key there is nothing.
    if (tree.entries.empty()) {
      schema::tidy(problems);
      throw schema::InvalidRecipe(problems);
    }
  }
  std::string out;
  for (const Alike& alike : those_alike(keys, tree)) {
    if (!out.empty()) out += "\n";
    out += alike.header() + alike.words;
    const Listed& listed = alike.first;
    const bool as_asked = listed.path() == holder || schema::matches(listed.path(), asked);
    const std::string path = as_asked ? asked : listed.path();
    if (!has_recipe || path.find('*') != path.npos) continue;
    out += in_recipe(path, tree, listed) + sweep_of_trial(path, arguments.files[1]);
  }
  if (out.empty()) out = fmt::format("'{}' is no key of the kinds that {} uses\n", asked, file);
  print_lines(out);
  const std::size_t errors = schema::count(problems, schema::Severity::error);
  if (errors == 0) return Exit::done;
  complain(fmt::format("{} has {}", file, schema::count_in_words(problems)),
           fmt::format("'knead lint {}' shows them; what is wrong is left out here", file));
  return Exit::invalid_recipe;
}

}  // namespace knead::front
