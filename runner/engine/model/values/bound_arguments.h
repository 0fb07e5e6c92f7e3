#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Holds the arguments of a built-in function by parameter index. Refers to the arguments without
/// owning them.
class BoundArguments {
 public:
  /// Binds the arguments. Throws Mistake in the words of Python if one of the first `required`
  /// parameters is missing, or if arguments are too many or have unknown names. A parameter whose
  /// name begins with '*' is keyword-only. Methods list self first.
  BoundArguments(std::string_view function, const Arguments& arguments,
                 const std::vector<std::string_view>& parameters, std::size_t required);

  bool has(std::size_t place) const { return values_[place] != nullptr; }
  const Value& operator[](std::size_t place) const { return *values_[place]; }

  /// Returns the argument; None if it is absent.
  const Value& or_none(std::size_t place) const;

  /// Returns the argument as a flag; `otherwise` if it is absent. Throws Mistake if it is not a
  /// number.
  bool flag(std::size_t place, bool otherwise) const;

 private:
  std::vector<const Value*> values_;
};

}  // namespace knead::engine::model
