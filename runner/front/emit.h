#pragma once

#include "runner/front/arguments.h"
#include "schema/document/error.h"

namespace knead::front {

/// Checks a recipe as `run` does, and prints the script with which the cluster of --emit trains it.
/// Trains nothing. Throws as call_of_engine(), and knead::Error (exit code 2) for --fresh and, for
/// Kubernetes, a recipe that lies outside of the current folder.
Exit emit(const Arguments& arguments);

}  // namespace knead::front
