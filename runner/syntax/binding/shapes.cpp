#include "runner/syntax/binding/shapes.h"

namespace knead::syntax {

std::vector<ParameterShape> shapes_of(const std::vector<Parameter>& parameters) {
  std::vector<ParameterShape> shapes;
  shapes.reserve(parameters.size());
  for (const Parameter& one : parameters) {
    shapes.push_back({one.name, one.kind, one.fallback != nullptr});
  }
  return shapes;
}

ArgumentShape shape_of(const Call& call) {
  ArgumentShape shape;
  for (const Expression& argument : call.arguments) {
    // A starred argument adds an unknown number of arguments, so it does not count: bind_call()
    // treats the parameters that it may reach as hidden.
    if (std::holds_alternative<Starred>(argument.kind)) {
      shape.has_star = true;
    } else {
      ++shape.positional;
    }
  }
  for (const Keyword& keyword : call.keywords) {
    if (keyword.name.empty()) {
      shape.has_double_star = true;
    } else {
      shape.keywords.push_back(keyword.name);
    }
  }
  return shape;
}

}  // namespace knead::syntax
