#include "runner/engine/freeze.h"

#include <fmt/format.h>

#include "runner/engine/parameter_names.h"
#include "runner/track/short_text.h"
#include "schema/error.h"

namespace knead::engine {
namespace {

void freeze_one(const model::Model& model, const std::vector<Names>& names, std::size_t number,
                const std::string& pattern) {
  bool any = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!fits(pattern, names[i])) continue;
    any = true;
    model.parameters()[i].tensor.set_requires_grad(false);
  }
  if (any) return;
  throw Error(fmt::format("model.freeze.{}: '{}' fits no parameter", number, pattern),
              pattern_remedy(pattern, names), Exit::invalid_recipe);
}

}  // namespace

void freeze(const model::Model& model, const std::vector<std::string>& patterns) {
  const std::vector<Names> names = names_of_parameters(model);
  for (std::size_t i = 0; i < patterns.size(); ++i) freeze_one(model, names, i, patterns[i]);
  if (trained_parameters(model).empty())
    throw Error("model.freeze leaves no parameter to train", "leave some out of its patterns",
                Exit::invalid_recipe);
}

NamedTensors trained_parameters(const model::Model& model) {
  NamedTensors trained;
  for (const NamedTensor& parameter : model.parameters()) {
    if (parameter.tensor.requires_grad()) trained.push_back(parameter);
  }
  return trained;
}

std::string trained_in_words(const model::Model& model) {
  const NamedTensors& all = model.parameters();
  const NamedTensors trained = trained_parameters(model);
  const auto numbers = [](const NamedTensors& tensors) {
    return track::grouped(static_cast<std::uint64_t>(count_numbers(tensors)));
  };
  const std::string words = fmt::format("{} in {} tensors", numbers(trained), trained.size());
  if (trained.size() == all.size()) return words;
  return fmt::format("{} of {} in {}; the others are frozen", words, numbers(all), all.size());
}

}  // namespace knead::engine
