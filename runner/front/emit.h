#pragma once

#include <cstdint>

#include "recipe.h"
#include "runner/front/line/arguments.h"
#include "schema/document/error.h"

namespace knead::front {

/// Checks a recipe as `run` does, and prints the script with which the cluster of --emit trains it.
/// Trains nothing. Throws as call_of_engine(), and knead::Error (exit code 2) for --fresh and, for
/// Kubernetes, a recipe that lies outside of the current folder.
Exit emit(const Arguments& arguments);

/// Prints the script with which the cluster of --emit runs the shards of a sweep, whose recipe is
/// checked and resolved. `trials` counts all seeds. Throws as emit() for Kubernetes.
Exit emit_sweep(const Arguments& arguments, const recipe::Recipe& recipe, std::int64_t trials);

}  // namespace knead::front
