#include "runner/engine/verbs/prediction_set.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/data/sets/selection.h"
#include "runner/data/sets/set_like_train.h"
#include "runner/data/text/kept_tokenizer.h"
#include "runner/data/transforms/transform.h"
#include "runner/engine/job/feed_fields.h"
#include "runner/run/names.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"

namespace knead::engine {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr const char* kByName =
    "write --data train, validation or test, and change its files, as in data.test.path=FILE";

/// Matches the kinds of data sets whose recipe names the fields of a sample.
template <class Kind>
concept NamesFields = requires(const Kind& kind) {
  kind.fields;
};

/// Matches the kinds of data sets that have a file per field.
template <class Kind>
concept HasFilePerField = requires(const Kind& kind) {
  kind.fields.begin()->second.path;
};

void set_path(fs::path& path, const fs::path& other) { path = other; }
void set_path(std::optional<fs::path>& path, const fs::path& other) { path = other; }
void set_path(std::optional<std::vector<fs::path>>& paths, const fs::path& other) {
  paths = {other};
}

/// Replaces the files of a data set by one path.
struct PointAt {
  const fs::path& path;

  void operator()(recipe::Mix& /*mix*/) const {
    throw Error("data.train is a mix: a file cannot be read as all of its sets are", kByName);
  }
  template <HasFilePerField Kind>
  void operator()(Kind& kind) const {
    if (kind.fields.size() != 1) {
      throw Error(
          fmt::format("the model is given {} fields, each of a file of its own: --data names "
                      "one file",
                      kind.fields.size()),
          "write --data train, validation or test, and change the paths of its fields");
    }
    set_path(kind.fields[0].second.path, path);
  }
  template <class Kind>
  void operator()(Kind& kind) const {
    set_path(kind.path, path);
    if constexpr (requires { kind.windows; }) {
      kind.windows = Kind::Windows::sequential;  // each sample once
      kind.rows.reset();
    }
  }
};

/// Returns those of the named fields that are inputs of forward.
Names given_fields(const recipe::Recipe& recipe, const model::Model& model, const Names& names) {
  std::vector<data::Field> all;
  for (const std::string& name : names) all.emplace_back().name = name;
  Names given;
  for (const auto& place : choose_fields(recipe, model, all).inputs) {
    if (place) given.push_back(names[*place]);
  }
  return given;
}

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns whether a transform names only fields that are not read.
bool is_of_others(const recipe::Transform& transform, const Names& kept) {
  const auto& fields = data::named_fields(transform);
  return fields && std::none_of(fields->begin(), fields->end(),
                                [&](const std::string& field) { return contains(kept, field); });
}

/// Removes the fields that are not inputs of the model, and their transforms, from a data set.
struct KeepInputs {
  const recipe::Recipe& recipe;
  const model::Model& model;

  template <NamesFields Kind>
  void operator()(Kind& kind) const {
    Names names;
    for (const auto& [name, field] : kind.fields) names.push_back(name);
    const Names given = given_fields(recipe, model, names);
    std::erase_if(kind.fields, [&](const auto& each) { return !contains(given, each.first); });
    std::erase_if(kind.transforms,
                  [&](const recipe::Transform& each) { return is_of_others(each, given); });
  }
  void operator()(const auto& /*kind*/) const {}  // its samples always have the same fields
};

}  // namespace

data::Set prediction_set(const recipe::Recipe& recipe, const model::Model& model,
                         const fs::path& path, const fs::path& run_folder) {
  recipe::DataSet set = recipe.data.train;
  std::visit(KeepInputs{recipe, model}, set);
  std::visit(PointAt{path}, set);
  const fs::path kept = run_folder / run::kVocabularyFile;
  return data::read_set_like_train(
      set, recipe.data.train, static_cast<std::uint64_t>(recipe.seed),
      schema::is_there(kept) ? data::open_kept_tokenizer(kept) : nullptr);
}

}  // namespace knead::engine
