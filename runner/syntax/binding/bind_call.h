#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "runner/syntax/binding/shapes.h"

namespace knead::syntax {

/// The positional argument of this index fills the parameter. The index counts the arguments of
/// ArgumentShape::positional from 0.
struct ByPosition {
  std::size_t index;
};

/// The named argument of this index, a place in ArgumentShape::keywords, fills the parameter.
struct ByName {
  std::size_t index;
};

/// The parameter keeps its default.
struct ByDefault {};

/// `*args` takes the positional arguments from `begin` on; none if `begin` is their number.
struct RestOfPositional {
  std::size_t begin;
};

/// `**kwargs` takes the named arguments of these indices, in the order of the call; the list may be
/// empty.
struct RestOfKeywords {
  std::vector<std::size_t> indices;
};

/// The value of the parameter may come from a `*` or `**` of the call, or be the default: the text
/// of the call alone does not tell.
struct Hidden {};

/// Says which arguments fill a parameter.
using Slot = std::variant<ByPosition, ByName, ByDefault, RestOfPositional, RestOfKeywords, Hidden>;

/// No parameter can take a named argument. `candidates` are the names that a call may use, in the
/// order of the parameters, for a suggestion.
struct UnexpectedKeyword {
  std::string_view name;
  std::vector<std::string_view> candidates;
};

/// Positional-only parameters are given by name, and there is no `**kwargs` to take the names.
/// `names` has all of them, in the order of the parameters.
struct PositionalOnlyByName {
  std::vector<std::string_view> names;
};

/// Two arguments are meant for one parameter; `by_name` if both of them carry its name.
struct GivenTwice {
  std::string_view name;
  bool by_name = false;
};

/// More positional arguments are given than parameters can take, and there is no `*args`. The
/// counts are those of Python's message; `given` includes the object of a method call.
struct TooManyPositional {
  std::size_t least = 0;  // positional parameters without a default
  std::size_t most = 0;   // positional parameters
  std::size_t given = 0;
  std::size_t keyword_only = 0;  // keyword-only parameters that are given
};

/// Parameters without a default get no argument. They are all positional or all keyword-only:
/// Python reports the keyword-only ones only if no positional one is missing.
struct Missing {
  std::vector<std::string_view> names;
  bool keyword_only = false;
};

/// Says why Python refuses a call.
using Fault =
    std::variant<UnexpectedKeyword, PositionalOnlyByName, GivenTwice, TooManyPositional, Missing>;

/// Holds a slot for each parameter, in their order, or the fault that Python reports first.
using Binding = std::variant<std::vector<Slot>, Fault>;

/// Assigns the arguments of a call to the parameters by the rules of Python 3.11. Pure; throws
/// nothing of its own.
///
/// For `def f(a, b=1, *rest, c, **others)` the call `f(1, c=2, d=3)` gives the slots ByPosition{0},
/// ByDefault, RestOfPositional{1}, ByName{0} and RestOfKeywords{{1}}.
///
/// If the call has `*` or `**`, a fault is one that no value behind the star repairs, and
/// parameters that such a value may fill are Hidden. A caller may therefore report each fault as an
/// error. The result refers to the names of both shapes and must not outlive them.
Binding bind_call(std::span<const ParameterShape> parameters, const ArgumentShape& arguments);

}  // namespace knead::syntax
