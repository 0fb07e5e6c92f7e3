#include "runner/front/check/check_calls.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "schema/document/suggest.h"

namespace knead::front {
namespace {

using ParameterKind = syntax::Parameter::Kind;

bool is_hidden(const syntax::Call& call) {
  return std::any_of(call.arguments.begin(), call.arguments.end(),
                     [](const syntax::Expression& one) {
                       return std::holds_alternative<syntax::Starred>(one.kind);
                     }) ||
         std::any_of(call.keywords.begin(), call.keywords.end(),
                     [](const syntax::Keyword& one) { return one.name.empty(); });
}

/// Sorts the parameters of an __init__, including self.
struct Parameters {
  std::vector<const syntax::Parameter*> by_position;
  std::vector<const syntax::Parameter*> all;  // all but *args and **kwargs
  bool takes_rest = false;
  bool takes_names = false;

  explicit Parameters(const syntax::Function& init) {
    for (const syntax::Parameter& one : init.parameters) {
      if (one.kind == ParameterKind::rest) takes_rest = !one.name.empty();
      if (one.kind == ParameterKind::keywords) takes_names = true;
      if (one.kind == ParameterKind::rest || one.kind == ParameterKind::keywords) continue;
      all.push_back(&one);
      if (one.kind != ParameterKind::keyword_only) by_position.push_back(&one);
    }
  }
};

/// Lists names as Python's messages do: "'a', 'b', and 'c'".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
    text += "'" + names[i] + "'";
  }
  return text;
}

/// Returns Python's words for too many positional arguments. Python counts the object as one.
std::string too_many(const Parameters& parameters, std::size_t given) {
  const std::size_t most = parameters.by_position.size();
  const auto least = static_cast<std::size_t>(
      std::count_if(parameters.by_position.begin(), parameters.by_position.end(),
                    [](const syntax::Parameter* one) { return !one->fallback; }));
  const std::string range =
      least == most ? std::to_string(most) : fmt::format("from {} to {}", least, most);
  return fmt::format("takes {} positional argument{} but {} {} given", range,
                     range == "1" ? "" : "s", given, given == 1 ? "was" : "were");
}

}  // namespace

std::optional<WrongCall> wrong_call(const syntax::Call& call, const syntax::Function& init,
                                    const std::string& name) {
  if (is_hidden(call) || !init.decorators.empty() || init.parameters.empty()) return std::nullopt;
  const Parameters parameters(init);
  const auto problem = [&](const std::string& what, std::string hint = "") {
    return WrongCall{fmt::format("{}.__init__() {}", name, what), std::move(hint)};
  };
  const std::size_t given = call.arguments.size() + 1;  // with the object
  std::set<std::string, std::less<>> filled;
  for (std::size_t i = 0; i < std::min(given, parameters.by_position.size()); ++i) {
    filled.insert(parameters.by_position[i]->name);
  }
  for (const syntax::Keyword& keyword : call.keywords) {
    const auto known = std::find_if(parameters.all.begin(), parameters.all.end(),
                                    [&](const auto* one) { return one->name == keyword.name; });
    if (known == parameters.all.end() && !parameters.takes_names) {
      std::vector<std::string_view> names;
      for (const auto* one : parameters.all) names.push_back(one->name);
      const std::string_view near = schema::nearest(keyword.name, names);
      return problem(fmt::format("got an unexpected keyword argument '{}'", keyword.name),
                     near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    }
    if (!filled.insert(keyword.name).second) {
      return problem(fmt::format("got multiple values for argument '{}'", keyword.name));
    }
  }
  if (given > parameters.by_position.size() && !parameters.takes_rest) {
    return problem(too_many(parameters, given));
  }
  std::vector<std::string> missing;
  for (const auto* one : parameters.by_position) {
    if (!one->fallback && !filled.contains(one->name)) missing.push_back(one->name);
  }
  if (missing.empty()) return std::nullopt;
  return problem(fmt::format("missing {} required positional argument{}: {}", missing.size(),
                             missing.size() == 1 ? "" : "s", listed(missing)));
}

}  // namespace knead::front
