#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "schema/document/regular_expression.h"
#include "schema/rules/rule_list.h"

namespace knead::schema {
namespace {

constexpr std::array kInitialisations{"constant",        "normal",         "trunc_normal",
                                      "uniform",         "xavier_uniform", "xavier_normal",
                                      "kaiming_uniform", "kaiming_normal", "orthogonal"};

/// Calls a function with the path and the node of each item of a list.
template <class Function>
void for_items(const RuleView& recipe, const std::string& path, Function&& function) {
  const Node* list = recipe.find(path);
  for (std::size_t i = 0; list && i < list->items.size(); ++i)
    function(fmt::format("{}.{}", path, i), list->items[i]);
}

}  // namespace

void init_has_one_kind(const RuleView& recipe) {
  for_items(recipe, "model.init", [&](const std::string& path, const Node&) {
    std::string first;
    for (const std::string kind : kInitialisations) {
      const std::string key = path + "." + kind;
      // A doubtful key may be the only initialisation, or the second one.
      if (!recipe.is_absent(key) && !recipe.find(key)) return;
      if (!recipe.find(key)) continue;
      if (!first.empty()) {
        recipe.error("not-together", recipe.key_place(key),
                     fmt::format("{} has both '{}' and '{}'", path, first, kind),
                     "keep one of them; another item may have the other");
        return;
      }
      first = kind;
    }
    if (first.empty())
      recipe.error("missing-key", recipe.key_place(path),
                   fmt::format("{} does not say how parameters begin", path),
                   fmt::format("write one of {}", fmt::join(kInitialisations, ", ")));
  });
}

void parts_are_of_safetensors(const RuleView& recipe) {
  if (!recipe.written("export.max_shard")) return;
  const Node* formats = recipe.find("export.to");
  const bool is_one =
      formats && std::any_of(formats->items.begin(), formats->items.end(),
                             [](const Node& item) { return item.text == "safetensors"; });
  if (!formats || is_one) return;
  recipe.error("not-together", recipe.key_place("export.max_shard"),
               "only a safetensors file is cut into parts, and export.to does not name it",
               "add safetensors to export.to, or leave max_shard out");
}

void init_bounds_are_ordered(const RuleView& recipe) {
  for_items(recipe, "model.init", [&](const std::string& path, const Node&) {
    for (const char* kind : {"uniform", "trunc_normal"}) {
      const std::string block = fmt::format("{}.{}", path, kind);
      const auto low = recipe.number(block + ".low");
      const auto high = recipe.number(block + ".high");
      if (!low || !high || *low < *high) continue;
      const bool is_low_written = recipe.written(block + ".low");
      const std::string key = block + (is_low_written ? ".low" : ".high");
      const std::string other = block + (is_low_written ? ".high" : ".low");
      recipe.error(
          "out-of-range", recipe.find(key)->place,
          fmt::format("{} {} leaves nothing between it and {} {}", key, recipe.find(key)->text,
                      recipe.reference(other), recipe.find(other)->text),
          "low must be below high");
    }
  });
}

void rename_patterns_are_sound(const RuleView& recipe) {
  for_items(recipe, "model.weights.rename", [&](const std::string& path, const Node&) {
    const Node* match = recipe.find(path + ".match");
    const std::string fault = match ? expression_fault(match->text) : "";
    if (!fault.empty())
      recipe.error("bad-pattern", match->place,
                   fmt::format("{}.match is no regular expression: {}", path, fault),
                   "a character that means itself has a \\ before it");
    const Node* with = recipe.find(path + ".with");
    // Python and sed write \1 for a group; ECMAScript would insert it as two characters, and the
    // weights would then have names that no model has.
    const std::size_t slash = with ? with->text.find('\\') : std::string::npos;
    if (slash != std::string::npos && slash + 1 < with->text.size() &&
        std::isdigit(static_cast<unsigned char>(with->text[slash + 1])))
      recipe.error("bad-pattern", with->place,
                   fmt::format("{}.with stands in place of a match as it is written: '{}'", path,
                               with->text),
                   fmt::format("the text of a group is ${}", with->text[slash + 1]));
  });
}

}  // namespace knead::schema
