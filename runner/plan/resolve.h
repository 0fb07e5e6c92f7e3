#pragma once

#include <cstdint>
#include <filesystem>

#include "recipe.h"

namespace knead::plan {

/// What defaults depend on besides the recipe.
struct Machine {
  std::int64_t cores = 1;
  bool has_cuda = false;       // a driver and a device were seen
  std::filesystem::path home;  // the current directory
};

/// Fills in every default that follows from other keys or from the machine: the sentences that the
/// schema calls x-default. Those that need the files of a run (the model's class, its inputs, a
/// header, a field's shape) stay empty: whoever reads the file knows.
void resolve(recipe::Recipe& recipe, const Machine& machine);

/// Whether a resolved recipe trains on a GPU.
bool uses_cuda(const recipe::Recipe& recipe, const Machine& machine);

}  // namespace knead::plan
