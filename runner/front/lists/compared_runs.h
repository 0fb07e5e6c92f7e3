#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runner/report/stored_recipe.h"
#include "runner/run/overview.h"

namespace knead::front {

/// Runs that train the same class of models, and in what their recipes differ.
struct ComparedRuns {
  std::vector<std::size_t> runs;                // their places in the list
  std::vector<report::Difference> differences;  // values in the order of `runs`
};

/// Compares the recipes of the runs in a list, each with those of the same model; at least two are
/// compared, and their recipes differ. Runs whose recipe cannot be read are left out.
std::vector<ComparedRuns> compare_runs(const std::vector<run::Overview>& runs);

/// Returns a table for each comparison: a row for each run, a column for each key that differs, at
/// most kMostColumns of them.
std::string compared_text(const std::vector<ComparedRuns>& compared,
                          const std::vector<run::Overview>& runs);

constexpr std::size_t kMostColumns = 6;

}  // namespace knead::front
