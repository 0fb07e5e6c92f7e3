#include "runner/engine/build_model.h"

#include <fmt/format.h>

#include "runner/engine/model/archive.h"
#include "runner/engine/model/source.h"
#include "runner/files/digest.h"
#include "runner/files/read.h"
#include "runner/files/sha256.h"
#include "schema/error.h"

namespace knead::engine {
namespace {

void check_pin(const recipe::Model& recipe, const std::string& name, const std::string& bytes) {
  if (!recipe.sha256) return;
  const std::string found = files::sha256(bytes);
  if (found == *recipe.sha256) return;
  throw Error(
      fmt::format("{} is not the file that model.sha256 pins: its SHA-256 is {}", name, found),
      "get the right file; or, if you trust this one, write its digest");
}

model::Built build_source(const recipe::Model& recipe) {
  const std::string class_name = recipe.class_ ? *recipe.class_ : "";
  model::Built built = model::build_source({*recipe.source, class_name, recipe.args});
  check_pin(recipe, recipe.source->string(), built.source_text);
  return built;
}

}  // namespace

BuiltModel build_model(const recipe::Model& recipe) {
  if (recipe.source) {
    model::Built built = build_source(recipe);
    return {std::move(built.model), files::digest(built.source_text + built.layers_text)};
  }
  const std::string bytes = files::read_text(*recipe.archive);
  check_pin(recipe, recipe.archive->string(), bytes);
  auto model = model::load_archive(*recipe.archive);
  return {std::move(model), files::digest(bytes)};
}

}  // namespace knead::engine
