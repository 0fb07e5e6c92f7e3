#pragma once

#include <memory>
#include <string>

#include "recipe.h"
#include "runner/track/sink.h"

namespace knead::track {

/// Returns a sink that writes the files of DVCLive 3 in a folder: metrics.json with the last
/// numbers, params.yaml, plots/metrics/SET/METRIC.tsv with a row for each step, and the dvc.yaml
/// that names them. Each start writes them anew. `kind` is resolved. Throws knead::Error if a file
/// cannot be created.
std::unique_ptr<Sink> make_dvclive(const recipe::DvcliveSink& kind, const About& about, Warn warn);

/// Returns hyperparameters as YAML, in blocks as their names say: "optimizer.lr" is lr below
/// optimizer.
std::string params_as_yaml(const std::vector<Hyperparameter>& hyperparameters);

}  // namespace knead::track
