#pragma once

#include <cstdint>
#include <filesystem>

#include "recipe.h"

namespace knead::plan {

/// The properties of the machine that defaults depend on.
struct Machine {
  std::int64_t cores = 1;
  bool has_cuda = false;       // a driver and a device were found
  std::filesystem::path home;  // the current directory
};

/// Fills in every default that depends on other keys or on the machine (`x-default` in the schema).
/// Defaults that depend on files (the model's class and inputs, a header, the shape of a field)
/// stay empty; the readers of those files determine them.
void resolve(recipe::Recipe& recipe, const Machine& machine);

/// Returns whether a recipe trains on a GPU of this machine.
bool uses_cuda(const recipe::Recipe& recipe, const Machine& machine);

}  // namespace knead::plan
