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
/// header, a field's shape) stay empty: whoever reads the file knows. So do `threads`, see below.
void resolve(recipe::Recipe& recipe, const Machine& machine);

/// Fills in `threads` where the recipe leaves it open: one for each kWorkOfThread of `work`, at
/// least 1 and at most `cores`. `work`: the multiplications and additions of forward for one
/// micro-batch, in operators of at least kWorkOfOperator. A model whose step is short runs on one
/// thread: to wake others takes longer than they save, and on a machine with other work each step
/// would wait for the slowest of them.
void resolve_threads(recipe::Recipe& recipe, double work, std::int64_t cores);

inline constexpr double kWorkOfThread = 50e6;
inline constexpr double kWorkOfOperator = 2e6;

/// The threads that a recipe asks for; all cores where it leaves that open.
std::int64_t most_threads(const recipe::Recipe& recipe, const Machine& machine);

/// Whether a resolved recipe trains on a GPU.
bool uses_cuda(const recipe::Recipe& recipe, const Machine& machine);

}  // namespace knead::plan
