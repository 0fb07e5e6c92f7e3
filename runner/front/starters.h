#pragma once

#include <span>
#include <string_view>

namespace knead::front {

/// A file that the program carries with it, to start people off: a recipe, a model, data.
struct Starter {
  std::string_view path;  // in the repository: "recipes/digits.yaml", "models/mlp.py"
  std::string_view bytes;
};

std::span<const Starter> starters();

}  // namespace knead::front
