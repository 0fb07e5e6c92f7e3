#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/sweep/output/outcome.h"
#include "runner/sweep/swept_keys.h"
#include "schema/document/node.h"
#include "schema/variations.h"

namespace knead::sweep {

/// The name of the file in the folder of a sweep with the recipe of its best trial.
inline constexpr const char* kBestFile = "best.yaml";

/// Returns the keys of a sweep in the form in which its files describe them.
std::vector<SweptKey> swept_keys(const std::vector<SweptValues>& keys);

/// Writes sweep.jsonl, sweep.csv and optuna.journal, each in one step. Throws knead::Error.
void write_sweep_files(const Outcome& outcome, const std::filesystem::path& folder);

/// Returns the recipe of the best trial, ready to run under the name <sweep>-best. Comments at its
/// beginning say what it reached, and each key with its value and that of the sweep's recipe.
std::string best_recipe(const Trial& trial, const Outcome& outcome, const std::string& file,
                        const schema::Variations& variations,
                        std::vector<schema::Assignment> assignments);

}  // namespace knead::sweep
