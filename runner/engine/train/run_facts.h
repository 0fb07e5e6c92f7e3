#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "recipe.h"
#include "runner/checkpoint/manifest.h"
#include "schema/document/node.h"
#include "schema/trajectory.h"

namespace knead::engine {

/// Describes the run that made a checkpoint. Each manifest holds it; the next start compares its
/// own facts with these.
struct Facts {
  schema::Trajectory trajectory;         // keys of the recipe, and digests of what its paths name
  std::vector<std::string> fingerprint;  // library, kernels, threads, device: "libtorch 2.11.0"
  bool is_mixed = false;                 // the fingerprint changed at some resume
};

/// Collects the facts of a run. `tree` is the recipe as load() returned it, `recipe` the resolved
/// recipe, `model_digest` the digest of all files of the model. Reads samples of the data files for
/// their digests.
Facts facts_of(const schema::Node& tree, const recipe::Recipe& recipe,
               const std::string& model_digest, const std::vector<std::string>& fingerprint);

/// Adds the identity of the initial weights to the facts. If `identity` is empty, because the
/// weights are not there any more, takes the identity from `before`, which may be null.
void add_weights(Facts& facts, const std::string& identity, const Facts* before);

/// Returns the facts in the form in which a manifest holds them.
nlohmann::json to_json(const Facts& facts);

/// Reads the facts from a manifest. Throws knead::Error if one is missing or has another type.
Facts facts_in(const checkpoint::Manifest& manifest);

/// Returns sentences about what may change the last bits of the rest of a resumed run; empty if
/// the fingerprints are equal.
std::vector<std::string> differences(const Facts& before, const Facts& now);

}  // namespace knead::engine
