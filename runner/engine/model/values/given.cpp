#include "runner/engine/model/values/given.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

namespace {

const Value kNone = None{};

/// Returns the name of a parameter without the mark of a keyword-only one.
std::string_view bare(std::string_view parameter) {
  return parameter.starts_with('*') ? parameter.substr(1) : parameter;
}

}  // namespace

Given::Given(std::string_view function, const Arguments& arguments,
             std::vector<std::string_view> parameters, std::size_t required)
    : values_(parameters.size(), nullptr) {
  const auto most = static_cast<std::size_t>(
      std::count_if(parameters.begin(), parameters.end(),
                    [](std::string_view parameter) { return !parameter.starts_with('*'); }));
  if (arguments.positional.size() > most) {
    throw Mistake(fmt::format("{}() takes {}{} positional argument{} but {} were given", function,
                              required == most ? "" : "at most ", most, most == 1 ? "" : "s",
                              arguments.positional.size()));
  }
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    values_[i] = &arguments.positional[i];
  }
  for (const auto& [name, value] : arguments.named) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](std::string_view one) { return bare(one) == name; });
    if (found == parameters.end()) {
      std::vector<std::string_view> known;
      for (std::string_view one : parameters) known.push_back(bare(one));
      throw Mistake(fmt::format("{}() got an unexpected keyword argument '{}'", function, name),
                    did_you_mean(name, known));
    }
    const Value*& place = values_[static_cast<std::size_t>(found - parameters.begin())];
    if (place != nullptr) {
      throw Mistake(fmt::format("{}() got multiple values for argument '{}'", function, name));
    }
    place = &value;
  }
  for (std::size_t i = 0; i < required; ++i) {
    if (values_[i] != nullptr) continue;
    throw Mistake(
        fmt::format("{}() missing required argument: '{}'", function, bare(parameters[i])));
  }
}

const Value& Given::or_none(std::size_t place) const {
  return has(place) ? *values_[place] : kNone;
}

bool Given::flag(std::size_t place, bool otherwise) const {
  if (!has(place)) return otherwise;
  const Value& value = *values_[place];
  if (!is_number(value)) throw Mistake("a flag must be a bool, not " + type_name(value));
  return float_of(value) != 0;
}

}  // namespace knead::engine::model
