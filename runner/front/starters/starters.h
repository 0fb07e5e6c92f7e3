#pragma once

#include <span>
#include <string_view>

namespace knead::front {

/// Holds a file that is embedded in the program for `knead new`: a recipe, a model or data.
struct Starter {
  std::string_view path;   // in the repository: "recipes/digits.yaml", "models/mlp.py"
  std::string_view bytes;  // the content
};

/// Returns all embedded files. They live as long as the program.
std::span<const Starter> starters();

}  // namespace knead::front
