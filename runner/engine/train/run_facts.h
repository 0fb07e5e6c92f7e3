#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "recipe.h"
#include "runner/checkpoint/manifest.h"
#include "schema/document/node.h"
#include "schema/trajectory.h"

namespace knead::engine {

/// What a checkpoint says about the run that made it, besides its state: what the next start
/// compares itself with.
struct Facts {
  schema::Trajectory trajectory;         // keys of the recipe, and digests of what its paths name
  std::vector<std::string> fingerprint;  // library, kernels, threads, device: "libtorch 2.11.0"
  bool is_mixed = false;  // the run has gone on under another fingerprint than it began with
};

/// `tree`: the recipe as load() understood it; `recipe`: the same, resolved. Samples the data
/// files. `model_digest`: of all files of the model.
Facts facts_of(const schema::Node& tree, const recipe::Recipe& recipe,
               const std::string& model_digest, const std::vector<std::string>& fingerprint);

/// What the run began with, `identity`, becomes one of its facts. Where it is empty, because the
/// weights are not there any more, it is what it was `before`.
void add_weights(Facts& facts, const std::string& identity, const Facts* before);

nlohmann::json to_json(const Facts& facts);

/// Throws knead::Error where the manifest does not say.
Facts facts_in(const checkpoint::Manifest& manifest);

/// Sentences about what may make the rest of a resumed run differ in its last bits; empty where
/// nothing does.
std::vector<std::string> differences(const Facts& before, const Facts& now);

}  // namespace knead::engine
