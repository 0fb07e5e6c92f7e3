#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "runner/syntax/binding/shapes.h"

namespace knead::syntax {

/// The positional argument of this index fills the parameter.
struct ByPosition {
  std::size_t index;
};

/// The named argument of this index fills the parameter.
struct ByName {
  std::size_t index;
};

/// The parameter keeps its default.
struct ByDefault {};

/// `*args` takes the positional arguments from `begin` on.
struct RestOfPositional {
  std::size_t begin;
};

/// `**kwargs` takes the named arguments of these indices.
struct RestOfKeywords {
  std::vector<std::size_t> indices;
};

/// A `*` or `**` of the call hides what fills the parameter.
struct Hidden {};

/// Says which arguments fill a parameter.
using Slot = std::variant<ByPosition, ByName, ByDefault, RestOfPositional, RestOfKeywords, Hidden>;

/// No parameter can take a named argument. `candidates` are the names that a call may use.
struct UnexpectedKeyword {
  std::string_view name;
  std::vector<std::string_view> candidates;
};

/// Positional-only parameters are given by name.
struct PositionalOnlyByName {
  std::vector<std::string_view> names;
};

/// Two arguments are meant for one parameter; `by_name` if both of them carry its name.
struct GivenTwice {
  std::string_view name;
  bool by_name = false;
};

/// More positional arguments are given than parameters can take.
struct TooManyPositional {
  std::size_t least = 0;  // positional parameters without a default
  std::size_t most = 0;   // positional parameters
  std::size_t given = 0;
  std::size_t keyword_only = 0;  // keyword-only parameters that are given
};

/// Parameters without a default get no argument. They are all positional or all keyword-only.
struct Missing {
  std::vector<std::string_view> names;
  bool keyword_only = false;
};

/// Says why Python refuses a call.
using Fault =
    std::variant<UnexpectedKeyword, PositionalOnlyByName, GivenTwice, TooManyPositional, Missing>;

/// Holds a slot for each parameter, or the fault that Python reports first.
using Binding = std::variant<std::vector<Slot>, Fault>;

/// Assigns the arguments of a call to the parameters by the rules of Python 3.11. If the call has
/// `*` or `**`, a fault is one that no value behind the star repairs. The result refers to the
/// names of both shapes.
Binding bind_call(std::span<const ParameterShape> parameters, const ArgumentShape& arguments);

}  // namespace knead::syntax
