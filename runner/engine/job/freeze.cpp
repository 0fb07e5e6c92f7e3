#include "runner/engine/job/freeze.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/engine/job/parameter_names.h"
#include "runner/track/short_text.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Freezes the parameters that a pattern matches. Throws knead::Error if there is none.
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
  // Backward would only report that the loss depends on no parameter.
  if (trained_parameters(model).empty())
    throw Error("model.freeze leaves no parameter to train", "leave some out of its patterns",
                Exit::invalid_recipe);
}

void expect_real(const model::Model& model) {
  for (const NamedTensor& parameter : trained_parameters(model)) {
    if (!parameter.tensor.is_complex()) continue;
    throw Error(fmt::format("the parameter '{}' is complex, and optimizers take real numbers",
                            parameter.name),
                "keep it as nn.Parameter(torch.view_as_real(w)), and read it in forward by "
                "torch.view_as_complex()");
  }
}

NamedTensors trained_parameters(const model::Model& model) {
  NamedTensors trained;
  for (const NamedTensor& parameter : model.parameters()) {
    if (parameter.tensor.requires_grad()) trained.push_back(parameter);
  }
  return trained;
}

std::optional<std::string> untouched_in_words(
    const model::Model& model, const std::function<bool(const at::Tensor&)>& has_gradient) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> names;
  for (const NamedTensor& parameter : trained_parameters(model)) {
    if (!has_gradient(parameter.tensor)) names.push_back(fmt::format("'{}'", parameter.name));
  }
  if (names.empty()) return std::nullopt;
  const std::size_t count = names.size();
  names.resize(std::min(count, kShown));
  if (count == 1)
    return fmt::format(
        "the parameter {} gets no gradient and is not trained: forward does not use it for the "
        "loss, or detaches what it computes",
        names[0]);
  return fmt::format(
      "{} parameters get no gradient and are not trained: forward does not use them for the loss, "
      "or detaches what it computes: {}{}",
      count, fmt::join(names, ", "), count > kShown ? " …" : "");
}

std::string trained_in_words(const model::Model& model) {
  const auto numbers = [](const NamedTensors& tensors) {
    return static_cast<std::uint64_t>(count_numbers(tensors));
  };
  const std::uint64_t all = numbers(model.parameters());
  const std::uint64_t trained = numbers(trained_parameters(model));
  const std::string words =
      fmt::format("{} in {} tensors", track::grouped(all), model.parameters().size());
  if (trained == all) return words;
  return fmt::format("{}: {} trained, {} frozen", words, track::grouped(trained),
                     track::grouped(all - trained));
}

}  // namespace knead::engine
