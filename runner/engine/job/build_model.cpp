#include "runner/engine/job/build_model.h"

#include <fmt/format.h>

#include "runner/engine/model/module/archive.h"
#include "runner/engine/model/source/build_source.h"
#include "runner/files/digest.h"
#include "runner/files/read.h"
#include "runner/files/reading.h"
#include "runner/files/sha256.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Throws knead::Error if the bytes do not have the SHA-256 that the recipe pins.
void check_pin(const recipe::Model& recipe, const std::string& name, const std::string& bytes) {
  if (!recipe.sha256) return;
  const std::string found = files::sha256(bytes);
  if (found == *recipe.sha256) return;
  throw Error(
      fmt::format("{} is not the file that model.sha256 pins: its SHA-256 is {}", name, found),
      "get the right file; or, if you trust this one, write its digest");
}

/// Returns the text of the user's files, one after another, or that of the layers.
std::string text_of(const model::Model& model, bool users) {
  std::string text;
  for (const auto& source : model.sources()) {
    if (source->is_file() == users) text += source->text();
  }
  return text;
}

BuiltModel build_source(const recipe::Model& recipe) {
  const files::Reading reading(recipe.source->string());
  model::Request request{*recipe.source, "", recipe.args};
  if (recipe.class_) request.class_name = *recipe.class_;
  // The pin is compared after the build, because only the build knows the imported files.
  auto model = model::build_source(request);
  const std::string text = text_of(*model, true);
  check_pin(recipe, recipe.source->string(), text);
  // Layers come with this program: they count in the digest, but a recipe does not pin them.
  const std::string digest = files::digest(text + text_of(*model, false));
  return {std::move(model), digest};
}

BuiltModel load_archive(const recipe::Model& recipe) {
  const files::Reading reading(recipe.archive->string());
  // Read once: what is loaded is what was compared with the pin.
  const std::string bytes = files::read_text(*recipe.archive);
  check_pin(recipe, recipe.archive->string(), bytes);
  const std::string digest = files::digest(bytes);
  return {model::load_archive(bytes, recipe.archive->string()), digest};
}

}  // namespace

BuiltModel build_model(const recipe::Model& recipe) {
  return recipe.source ? build_source(recipe) : load_archive(recipe);
}

}  // namespace knead::engine
