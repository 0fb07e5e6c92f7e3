#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runner/plan/decide.h"
#include "schema/document/node.h"

namespace knead::report {

/// A key of a recipe with its value and the place that this comes from.
struct RecipeKey {
  std::string path;    // "optimizer.lr", "evaluate.metrics.0.type"
  std::string value;   // a text without quotes, anything else as YAML on one line
  std::string origin;  // "digits.yaml:19:7", "default"; empty if the text does not say it
};

/// Holds the recipe of a run as its file resolved.yaml has it. The text is only parsed: no file
/// that it names is read, and no variable of the environment is looked up.
struct StoredRecipe {
  std::string text;
  schema::Node tree;            // a null if the text is no YAML
  std::vector<RecipeKey> keys;  // the values of the tree in its order

  /// Returns the value of a key; an empty text if the recipe does not have it.
  std::string value(std::string_view path) const;

  /// Returns evaluate.monitor with its goal; its metric is empty if the recipe has none.
  plan::Objective monitor() const;
};

/// Parses the text of resolved.yaml. Never throws for what the text is.
StoredRecipe stored_recipe(std::string text);

/// A key whose value differs between recipes.
struct Difference {
  std::string path;
  std::vector<std::string> values;  // by recipe; empty where a recipe does not have the key
};

/// Returns the keys that differ between recipes, in the order of the first recipe that has them.
/// Leaves out `name` and `output`, which differ between any two runs. At least one recipe.
std::vector<Difference> differences(const std::vector<const StoredRecipe*>& recipes);

}  // namespace knead::report
