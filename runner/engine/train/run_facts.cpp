#include "runner/engine/train/run_facts.h"

#include <fmt/format.h>

#include "runner/data/sets/data_files.h"

namespace knead::engine {
namespace {

/// Adds the digest of a set's files. Files are compared by content, so that a moved folder resumes.
void add_set(const std::string& name, const recipe::DataSet& set, schema::Trajectory& out) {
  out.emplace_back(fmt::format("data.{}.path (the file's content)", name), data::data_digest(set));
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
  if (before.fingerprint == now.fingerprint) return {};
  const auto joined = [](const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  };
  return {
      fmt::format("this run began with {}, and goes on with {}: the rest will not be equal to "
                  "the last bit",
                  joined(before.fingerprint), joined(now.fingerprint))};
}

}  // namespace knead::engine
