#include "runner/engine/model/values/bound_arguments.h"

#include "runner/engine/model/values/call_binding.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

namespace {

using Kind = syntax::Parameter::Kind;

// or_none() returns a reference, so its None must outlive every call.
const Value kNone = None{};

std::vector<syntax::ParameterShape> shapes_of(const std::vector<std::string_view>& parameters,
                                              std::size_t required) {
  std::vector<syntax::ParameterShape> shapes;
  for (const std::string_view name : parameters) {
    const bool by_name = name.starts_with('*');
    shapes.push_back({.name = by_name ? name.substr(1) : name,
                      .kind = by_name ? Kind::keyword_only : Kind::ordinary,
                      .has_default = shapes.size() >= required});
  }
  return shapes;
}

}  // namespace

BoundArguments::BoundArguments(std::string_view function, const Arguments& arguments,
                               const std::vector<std::string_view>& parameters,
                               std::size_t required) {
  const auto shapes = shapes_of(parameters, required);
  const syntax::Binding binding = syntax::bind_call(shapes, shape_of(arguments));
  if (const auto* fault = std::get_if<syntax::Fault>(&binding)) throw wrong_call(function, *fault);
  // Built-in functions have neither *args nor **kwargs, so a slot is one argument or, as null,
  // absent.
  for (const syntax::Slot& slot : std::get<std::vector<syntax::Slot>>(binding)) {
    values_.push_back(argument_in(slot, arguments));
  }
}

const Value& BoundArguments::or_none(std::size_t place) const {
  return has(place) ? *values_[place] : kNone;
}

bool BoundArguments::flag(std::size_t place, bool otherwise) const {
  if (!has(place)) return otherwise;
  const Value& value = *values_[place];
  if (!is_number(value)) throw Mistake("a flag must be a bool, not " + type_name(value));
  return float_of(value) != 0;
}

}  // namespace knead::engine::model
