#include <algorithm>

#include <fmt/format.h>

#include "schema/document/count_words.h"
#include "schema/rules/divisors.h"
#include "schema/rules/rule_list.h"
#include "schema/table/glob.h"

namespace knead::schema {
namespace {

constexpr const char* kStrategy = "distributed.strategy";

/// Reports a key of `distributed` that has no effect under the strategy.
void refuse_without(const RuleView& recipe, const char* key, const char* shown,
                    const char* strategies, const char* hint) {
  recipe.error("needs-other-key", recipe.key_place(key),
               fmt::format("'{}' needs 'strategy: {}', here it is {} ({})", shown, strategies,
                           recipe.text(kStrategy), recipe.where(kStrategy)),
               hint);
}

}  // namespace

void shard_keys_have_a_strategy(const RuleView& recipe) {
  const std::string strategy = recipe.text(kStrategy);
  if (strategy.empty()) return;
  if (!is_one_of(strategy, {"zero3", "auto"}) && recipe.meant("distributed.units"))
    refuse_without(recipe, "distributed.units", "units", "zero3",
                   "the others keep all parameters on each rank");
  if (strategy != "data_parallel") return;
  if (recipe.meant("distributed.replicas"))
    refuse_without(recipe, "distributed.replicas", "replicas", "zero1, zero2 or zero3",
                   "with data_parallel each rank is a replica");
  if (recipe.text("distributed.gather") == "bf16")
    refuse_without(recipe, "distributed.gather", "gather: bf16", "zero1, zero2 or zero3",
                   "data_parallel sends gradients only, in the type that 'compress' says");
}

void replicas_divide_the_ranks(const RuleView& recipe) {
  const Node* ranks = recipe.find("distributed.ranks");
  const Node* replicas = recipe.meant("distributed.replicas");
  const std::string strategy = recipe.text(kStrategy);
  if (!ranks || !replicas || strategy.empty() || strategy == "data_parallel") return;
  if (ranks->integer % replicas->integer == 0) return;
  // Only a warning: several machines have more ranks than the recipe writes for one.
  recipe.warning(
      "replicas-divide", replicas->place,
      fmt::format("the {} of one machine ({}) cannot be cut into {} replicas",
                  count_words(ranks->integer, "rank"), recipe.where("distributed.ranks"),
                  replicas->integer),
      fmt::format("'replicas: {}' divides them",
                  nearest_divisor(ranks->integer, std::min(replicas->integer, ranks->integer))));
}

void auto_knows_the_memory(const RuleView& recipe) {
  if (recipe.text(kStrategy) != "auto" || recipe.text("device") != "cuda") return;
  if (!recipe.is_absent("distributed.memory")) return;
  recipe.error("needs-other-key", recipe.key_place(kStrategy),
               fmt::format("'strategy: auto' needs 'memory' with 'device: cuda' ({})",
                           recipe.where("device")),
               "for example 'memory: 24 GB'");
}

void offload_has_another_place(const RuleView& recipe) {
  if (!recipe.find("distributed.offload") || recipe.text("device") != "cpu") return;
  if (!recipe.is_absent("distributed.offload.path")) return;
  recipe.error(
      "needs-other-key", recipe.key_place("distributed.offload"),
      fmt::format("'offload' without 'path' keeps the optimizer's state in the memory of "
                  "the host, and with 'device: cpu' ({}) it is there",
                  recipe.where("device")),
      "for example 'offload: {what: optimizer, path: /scratch}', a folder of a local disk");
}

void offloaded_parameters_are_divided(const RuleView& recipe) {
  if (recipe.text("distributed.offload.what") != "parameters") return;
  const std::string strategy = recipe.text(kStrategy);
  if (strategy == "zero3") return;
  recipe.error("needs-other-key", recipe.key_place("distributed.offload"),
               fmt::format("'offload: parameters' needs 'strategy: zero3', and {} is {}",
                           recipe.reference(kStrategy), strategy),
               "write 'strategy: zero3', with which a rank computes with a unit at a time, or "
               "'offload: optimizer'");
}

void units_are_distinct(const RuleView& recipe) {
  const Node* units = recipe.find("distributed.units");
  if (!units) return;
  for (std::size_t i = 0; i < units->items.size(); ++i) {
    const Node& unit = units->items[i];
    for (std::size_t j = 0; j < units->items.size(); ++j) {
      const Node& other = units->items[j];
      // Of two equal patterns the second one is reported.
      if (i == j || (unit.text == other.text && i < j) || !matches_glob(other.text, unit.text))
        continue;
      recipe.warning("duplicate-unit", unit.place,
                     unit.text == other.text
                         ? fmt::format("'{}' is there twice", unit.text)
                         : fmt::format("'{}' is already part of '{}'", unit.text, other.text),
                     "a module is gathered with one unit");
      break;
    }
  }
}

void gathered_numbers_keep_their_digits(const RuleView& recipe) {
  const std::string strategy = recipe.text(kStrategy);
  if (strategy.empty() || strategy == "data_parallel") return;
  if (recipe.text("distributed.gather") != "bf16" || recipe.text("precision.compute") != "fp16")
    return;
  recipe.warning("gather-rounds", recipe.key_place("distributed.gather"),
                 fmt::format("'gather: bf16' sends 8 bits of the 11 that {} computes with",
                             recipe.reference("precision.compute")),
                 "'gather: fp32' keeps them; 'compute: bf16' loses nothing to 'gather: bf16'");
}

}  // namespace knead::schema
