#include "runner/engine/job/initialise.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/job/parameter_names.h"
#include "runner/engine/model/python/initialise.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

using Rules = std::vector<recipe::Initialisation>;

/// Returns whether a rule is for a parameter, by its names and dimensions.
bool fits(const recipe::Initialisation& rule, const NamedTensor& parameter, const Names& names) {
  const std::int64_t ndim = parameter.tensor.dim();
  return engine::fits(rule.match, names) && (!rule.ndim_at_least || ndim >= *rule.ndim_at_least) &&
         (!rule.ndim_below || ndim < *rule.ndim_below);
}

/// Names a rule in messages: "model.init.0 (match '*.bias')".
std::string words_of(const recipe::Initialisation& rule, std::size_t number) {
  std::string words = fmt::format("model.init.{} (match '{}'", number, rule.match);
  if (rule.ndim_at_least) words += fmt::format(", ndim_at_least {}", *rule.ndim_at_least);
  if (rule.ndim_below) words += fmt::format(", ndim_below {}", *rule.ndim_below);
  return words + ")";
}

/// Throws knead::Error for a rule without parameters. Tells a rule that matches none from one whose
/// parameters all belong to earlier rules.
[[noreturn]] void refuse_unused(const model::Model& model, const std::vector<Names>& names,
                                const recipe::Initialisation& rule, std::size_t number) {
  const NamedTensors& parameters = model.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!fits(rule, parameters[i], names[i])) continue;
    throw Error(fmt::format("{} is left with no parameter: items before it have all that it fits",
                            words_of(rule, number)),
                "the first item that fits has a parameter: write the narrower one first",
                Exit::invalid_recipe);
  }
  throw Error(words_of(rule, number) + " fits no parameter", pattern_remedy(rule.match, names),
              Exit::invalid_recipe);
}

/// Throws knead::Error if a rule needs a matrix and the parameter has fewer dimensions.
void check_shape(const recipe::Initialisation& rule, std::size_t number,
                 const NamedTensor& parameter) {
  if (!model::needs_matrix(rule) || parameter.tensor.dim() >= 2) return;
  throw Error(
      fmt::format("{} fits '{}' {}, and needs two dimensions at least", words_of(rule, number),
                  parameter.name, shape_words(parameter.tensor.sizes())),
      "write ndim_at_least: 2", Exit::invalid_recipe);
}

}  // namespace

void initialise(const model::Model& model, const Rules& rules) {
  const std::vector<Names> names = names_of_parameters(model);
  model::Initialiser initialiser;
  std::vector<bool> is_used(rules.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NamedTensor& parameter = model.parameters()[i];
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const auto& each) {
      return fits(each, parameter, names[i]);
    });
    if (rule == rules.end()) continue;
    const auto number = static_cast<std::size_t>(rule - rules.begin());
    check_shape(*rule, number, parameter);
    initialiser.fill(parameter.tensor, *rule);
    is_used[number] = true;
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!is_used[i]) refuse_unused(model, names, rules[i], i);
  }
}

}  // namespace knead::engine
