#include <fmt/format.h>

#include "schema/rules/rule_list.h"

namespace knead::schema {
namespace {

/// Calls a function with the path of each item of optimizer.groups.
template <class Function>
void each_group(const RuleView& recipe, Function function) {
  const Node* groups = recipe.find("optimizer.groups");
  if (!groups) return;
  for (std::size_t i = 0; i < groups->items.size(); ++i) {
    const std::string path = fmt::format("optimizer.groups.{}", i);
    if (recipe.find(path)) function(path);
  }
}

/// Reports two keys of a block that exclude each other.
void refuse_both(const RuleView& recipe, const std::string& path, const char* key,
                 const char* other, const char* hint) {
  const std::string one = path + "." + key, two = path + "." + other;
  if (!recipe.find(one) || !recipe.find(two)) return;
  recipe.error("not-together", recipe.key_place(one),
               fmt::format("'{}' does not go with {}", key, recipe.reference(two)), hint);
}

}  // namespace

void nesterov_has_momentum(const RuleView& recipe) {
  const Node* nesterov =
      recipe.text("optimizer.type") == "sgd" ? recipe.find("optimizer.nesterov") : nullptr;
  if (!nesterov || !nesterov->boolean) return;
  const auto momentum = recipe.number("optimizer.momentum");
  const auto dampening = recipe.number("optimizer.dampening");
  if (momentum && *momentum == 0) {
    recipe.error("needs-other-key", recipe.key_place("optimizer.nesterov"),
                 "'nesterov' needs 'momentum'", "for example 'momentum: 0.9'");
  } else if (dampening && *dampening != 0) {
    recipe.error(
        "not-together", recipe.key_place("optimizer.nesterov"),
        fmt::format("'nesterov' does not go with {}", recipe.reference("optimizer.dampening")), "");
  }
}

void groups_choose_parameters(const RuleView& recipe) {
  each_group(recipe, [&](const std::string& path) {
    const auto absent = [&](const char* key) { return recipe.is_absent(path + "." + key); };
    if (absent("match") && absent("ndim_below") && absent("ndim_at_least")) {
      recipe.error("missing-key", recipe.key_place(path),
                   path + " needs 'match', 'ndim_below' or 'ndim_at_least'",
                   "for example 'match: \"*.bias\"'");
    }
    const Node* below = recipe.find(path + ".ndim_below");
    const Node* least = recipe.find(path + ".ndim_at_least");
    if (below && least && below->integer <= least->integer) {
      recipe.error("not-together", recipe.key_place(path + ".ndim_below"),
                   fmt::format("no parameter has fewer than {} dimensions and at least {}",
                               below->integer, least->integer),
                   "");
    }
  });
}

void groups_say_one_thing(const RuleView& recipe) {
  const bool is_muon = recipe.text("optimizer.type") == "muon";
  each_group(recipe, [&](const std::string& path) {
    refuse_both(recipe, path, "lr_scale", "lr", "keep one of them");
    // A group with `adamw` is trained by AdamW, so Muon's own options would have no effect there.
    for (const char* key : {"weight_decay", "momentum", "nesterov", "ns_coefficients", "eps",
                            "ns_steps", "adjust_lr_fn"}) {
      if (is_muon) refuse_both(recipe, path, key, "adamw", "AdamW's options stand inside of adamw");
    }
  });
}

}  // namespace knead::schema
