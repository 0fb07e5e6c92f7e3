#include "runner/engine/batch/model_inputs.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/document/error.h"
#include "schema/document/suggest.h"

namespace knead::engine {
namespace {

using Choice = std::vector<std::optional<std::size_t>>;
using Parameters = std::vector<ForwardParameter>;
using Fields = std::vector<data::Field>;

std::string names_of(const auto& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns the index of the item with this name; std::nullopt if there is none.
std::optional<std::size_t> place_of(const auto& things, const std::string& name) {
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (things[i].name == name) return i;
  }
  return std::nullopt;
}

/// Returns the index of a field that model.inputs names. Throws knead::Error if it is unknown.
std::size_t field_named(const Fields& fields, const std::string& name) {
  if (const auto place = place_of(fields, name)) return *place;
  throw Error(fmt::format("model.inputs names the field '{}', which the data does not have", name),
              "its fields are: " + names_of(fields), Exit::invalid_recipe);
}

/// Gives the fields of a list to the parameters in their order.
Choice in_order(const std::vector<std::string>& names, const Parameters& parameters,
                const Fields& fields) {
  if (names.size() > parameters.size()) {
    throw Error(fmt::format("model.inputs gives {} fields, forward takes {}", names.size(),
                            parameters.size()),
                "its parameters are: " + names_of(parameters), Exit::invalid_recipe);
  }
  Choice choice(parameters.size());
  for (std::size_t i = 0; i < names.size(); ++i) choice[i] = field_named(fields, names[i]);
  return choice;
}

/// Gives the fields of a map to the parameters that its keys name.
Choice by_name(const std::vector<std::pair<std::string, std::string>>& pairs,
               const Parameters& parameters, const Fields& fields) {
  Choice choice(parameters.size());
  for (const auto& [parameter, field] : pairs) {
    const auto place = place_of(parameters, parameter);
    if (!place) {
      throw Error(fmt::format("model.inputs: forward has no parameter '{}'", parameter),
                  "its parameters are: " + names_of(parameters), Exit::invalid_recipe);
    }
    choice[*place] = field_named(fields, field);
  }
  return choice;
}

/// Gives each parameter the field of its name. If no name fits, gives the first parameter the only
/// field besides the target.
Choice by_default(const Parameters& parameters, const Fields& fields, const std::string& target) {
  Choice choice(parameters.size());
  bool is_any_named = false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    choice[i] = place_of(fields, parameters[i].name);
    is_any_named = is_any_named || choice[i];
  }
  // A field of a parameter's name shows that names are meant; guessing the others would hide a
  // typo.
  if (is_any_named || parameters.empty()) return choice;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name != target) others.push_back(i);
  }
  if (others.size() == 1) choice[0] = others[0];
  return choice;
}

}  // namespace

Choice choose_inputs(const recipe::Model& model, const Parameters& parameters, const Fields& fields,
                     const std::string& target) {
  if (parameters.empty()) {
    throw Error("forward takes nothing: no field of the data reaches the model",
                "write def forward(self, x); the fields are: " + names_of(fields),
                Exit::invalid_recipe);
  }
  const auto choice = [&] {
    if (!model.inputs) return by_default(parameters, fields, target);
    if (const auto* names = std::get_if<std::vector<std::string>>(&*model.inputs))
      return in_order(*names, parameters, fields);
    return by_name(std::get<1>(*model.inputs), parameters, fields);
  }();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (choice[i] || parameters[i].has_default) continue;
    throw Error(fmt::format("no field is given to forward's parameter '{}'", parameters[i].name),
                fmt::format("write model.inputs{}; the fields are: {}",
                            target.empty() ? ", or loss.target, so that one field is left" : "",
                            names_of(fields)),
                Exit::invalid_recipe);
  }
  return choice;
}

}  // namespace knead::engine
