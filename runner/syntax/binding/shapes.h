#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "runner/syntax/expression.h"

namespace knead::syntax {

// Python's rules of calls need no values: shapes hold only counts, kinds and names. They refer to
// the names without owning them.

/// Describes a parameter of a function.
struct ParameterShape {
  std::string_view name;
  Parameter::Kind kind = Parameter::Kind::ordinary;
  bool has_default = false;
};

/// Describes the arguments of a call. A call of a method counts its object as the first positional
/// argument. The names of `keywords` may repeat; bind_call() reports that.
struct ArgumentShape {
  std::size_t positional = 0;              // arguments without a name, those behind `*` excluded
  std::vector<std::string_view> keywords;  // the names of named arguments, in order
  bool has_star = false;                   // `*value` adds an unknown number of arguments
  bool has_double_star = false;            // `**value` adds arguments of unknown names
};

/// Returns the shapes of parameters in their order. They refer to the names in `parameters`, which
/// must outlive them.
std::vector<ParameterShape> shapes_of(const std::vector<Parameter>& parameters);
/// Returns the shape of a call as written. It does not count the object of a method; a caller that
/// binds one adds 1 to `positional`. The shape refers to the names in `call`, which must outlive
/// it.
ArgumentShape shape_of(const Call& call);

}  // namespace knead::syntax
