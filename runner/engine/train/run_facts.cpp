#include "runner/engine/train/run_facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/data/sets/data_files.h"

namespace knead::engine {
namespace {

/// Returns the key of the digest of a set, which a refusal of a resume lists.
std::string set_key(const std::string& name) {
  return fmt::format("data.{}.path (the file's content)", name);
}

/// Adds the digest of a set's files. Files are compared by content, so that a moved folder resumes.
void add_set(const std::string& name, const recipe::DataSet& set, schema::Trajectory& out) {
  out.emplace_back(set_key(name), data::data_digest(set));
}

// Formatted as a key of the recipe, because the refusal of a resume lists it among changed keys.
constexpr const char* kWeights = "model.weights.from (the content)";

}  // namespace

Facts facts_of(const schema::Node& tree, const recipe::Recipe& recipe,
               const std::string& model_digest, const std::vector<std::string>& fingerprint) {
  Facts facts{schema::trajectory(tree), fingerprint, false};
  facts.trajectory.emplace_back(recipe.model.archive ? "model.archive (the file's content)"
                                                     : "model.source (the files' content)",
                                model_digest);
  add_set("train", recipe.data.train, facts.trajectory);
  if (recipe.data.validation) add_set("validation", *recipe.data.validation, facts.trajectory);
  if (recipe.data.test) add_set("test", *recipe.data.test, facts.trajectory);
  return facts;
}

void add_weights(Facts& facts, const std::string& identity, const Facts* before) {
  if (!identity.empty()) {
    facts.trajectory.emplace_back(kWeights, identity);
  } else if (before) {
    for (const auto& fact : before->trajectory) {
      if (fact.first == kWeights) facts.trajectory.push_back(fact);
    }
  }
}

bool has_same_training_set(const Facts& one, const Facts& other) {
  const auto digest_of = [](const Facts& facts) {
    std::string digest;
    for (const auto& [key, value] : facts.trajectory)
      if (key == set_key("train")) digest = value;
    return digest;
  };
  return digest_of(one) == digest_of(other);
}

nlohmann::json to_json(const Facts& facts) {
  return {{"recipe", facts.trajectory},
          {"execution", facts.fingerprint},
          {"mixed_execution", facts.is_mixed}};
}

Facts facts_in(const checkpoint::Manifest& manifest) {
  try {
    return {manifest.facts.at("recipe").get<schema::Trajectory>(),
            manifest.facts.at("execution").get<std::vector<std::string>>(),
            manifest.facts.at("mixed_execution").get<bool>()};
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the manifest of step {} does not say which recipe it is of: {}",
                            manifest.step, error.what()));
  }
}

std::vector<std::string> differences(const Facts& before, const Facts& now) {
  // A version before this one may have noted less, and nothing is known of the rest.
  const std::size_t known = std::min(before.fingerprint.size(), now.fingerprint.size());
  std::string old_words, new_words;
  for (std::size_t i = 0; i < known; ++i) {
    if (before.fingerprint[i] == now.fingerprint[i]) continue;
    old_words += (old_words.empty() ? "" : ", ") + before.fingerprint[i];
    new_words += (new_words.empty() ? "" : ", ") + now.fingerprint[i];
  }
  if (old_words.empty()) return {};
  return {
      fmt::format("this run began with {}, and goes on with {}: the rest will not be equal to "
                  "the last bit",
                  old_words, new_words)};
}

}  // namespace knead::engine
