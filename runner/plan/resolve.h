#pragma once

#include <cstdint>
#include <filesystem>

#include "recipe.h"

namespace knead::plan {

/// The properties of the machine that defaults depend on.
struct Machine {
  std::int64_t cores = 1;
  bool has_cuda = false;         // `device: auto` is a GPU
  std::filesystem::path home{};  // the current directory
  std::int64_t gpus = 0;         // GPUs that ranks may use; 0 if nobody counted them
};

/// Fills in every default that depends on other keys or on the machine (`x-default` in the schema),
/// except `threads`. Defaults that depend on files (the model's class and inputs, a header, the
/// shape of a field) stay empty; the readers of those files determine them. Keys that the recipe
/// gives stay as they are. Calling it again changes nothing.
void resolve(recipe::Recipe& recipe, const Machine& machine);

/// Fills in `threads` if the recipe leaves it open: one for each kWorkOfThread of `work`, at least
/// 1 and at most `cores`. `work`: the multiplications and additions of forward for one micro-batch,
/// in operators of at least kWorkOfOperator. A model whose step is short gets one thread: waking
/// others takes longer than they save, and on a busy machine each operator waits for the slowest.
void resolve_threads(recipe::Recipe& recipe, double work, std::int64_t cores);

/// The work in one micro-batch that pays for one more thread, in multiplications and additions.
inline constexpr double kWorkOfThread = 50e6;
/// The least work of an operator in one micro-batch that counts: several threads do not speed up a
/// smaller one.
inline constexpr double kWorkOfOperator = 2e6;

/// Returns the threads that a recipe asks for; all cores if it leaves them open.
std::int64_t most_threads(const recipe::Recipe& recipe, const Machine& machine);

/// Returns the number of ranks that train a recipe: what it says, else one for each GPU of the
/// machine if it asks for a GPU, but never more than a batch has samples.
std::int64_t number_of_ranks(const recipe::Recipe& recipe, const Machine& machine);

/// Throws knead::Error if a recipe asks for more ranks on GPUs than the machine has GPUs: ranks do
/// not share one. Silent where `gpus` is 0, because the driver may know of GPUs that nobody
/// counted.
void expect_gpus_for_ranks(const recipe::Recipe& recipe, const Machine& machine);

/// Returns whether a recipe asks for a GPU: `device: cuda` does on any machine, `device: auto`
/// where the machine has one.
bool uses_cuda(const recipe::Recipe& recipe, const Machine& machine);

}  // namespace knead::plan
