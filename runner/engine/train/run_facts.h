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
/// own facts with these: another trajectory is refused, another fingerprint is only a warning.
struct Facts {
  /// Lists the keys of the recipe that change results, and digests of the files that its paths
  /// name.
  schema::Trajectory trajectory;
  /// Describes the library, kernels, threads, device and the samples at once, as fingerprint()
  /// does: "libtorch 2.11.0".
  std::vector<std::string> fingerprint;
  /// Tells whether the fingerprint changed at some resume, so that the results are not reproducible
  /// to the last bit; it stays true.
  bool is_mixed = false;
};

/// Collects the facts of a run. `tree` is the recipe as load() returned it, `recipe` the resolved
/// recipe, `model_digest` the digest of all files of the model. Reads samples of the data files for
/// their digests, and throws knead::Error if one cannot be read. The initial weights are not among
/// them: see add_weights().
Facts facts_of(const schema::Node& tree, const recipe::Recipe& recipe,
               const std::string& model_digest, const std::vector<std::string>& fingerprint);

/// Adds the identity of the initial weights to the facts. If `identity` is empty, because the
/// weights cannot be found, takes the identity from `before`, so that a run resumes without them;
/// adds nothing if `before` is null or has none.
void add_weights(Facts& facts, const std::string& identity, const Facts* before);

/// Returns whether the files of data.train are the same in both.
bool has_same_training_set(const Facts& one, const Facts& other);

/// Returns the facts in the form in which a manifest holds them.
nlohmann::json to_json(const Facts& facts);

/// Reads the facts from a manifest. Throws knead::Error if one is missing or has another type.
Facts facts_in(const checkpoint::Manifest& manifest);

/// Returns a sentence on what may change the last bits of the rest of a resumed run: the parts of
/// the fingerprints that differ; empty if none does.
std::vector<std::string> differences(const Facts& before, const Facts& now);

}  // namespace knead::engine
