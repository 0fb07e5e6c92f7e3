#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Holds the arguments of a built-in function by parameter index. Refers to the values without
/// owning them, so the Arguments must outlive the object; a temporary Arguments does not compile.
///
///     const BoundArguments bound("pow", arguments, {"base", "exp"}, 2);
///     use(bound[0], bound[1]);
class BoundArguments {
 public:
  /// Binds the arguments by Python's rules of calls. Throws Mistake in the words of Python, with
  /// `function` as the name, if one of the first `required` parameters is missing, or if arguments
  /// are too many or have unknown names. A parameter whose name begins with '*' is keyword-only;
  /// the star does not belong to the name. Methods list self first. `parameters` is not kept.
  BoundArguments(std::string_view function, const Arguments& arguments,
                 const std::vector<std::string_view>& parameters, std::size_t required);
  BoundArguments(std::string_view, const Arguments&&, const std::vector<std::string_view>&,
                 std::size_t) = delete;

  /// Returns whether the call gives the parameter at index `place`, also if it gives None.
  bool has(std::size_t place) const { return values_[place] != nullptr; }
  /// Returns the argument at index `place`. has(place) must hold, as it does for required
  /// parameters.
  const Value& operator[](std::size_t place) const { return *values_[place]; }

  /// Returns the argument; None if the call does not give it. The reference to None stays valid.
  const Value& or_none(std::size_t place) const;

  /// Returns whether the argument is not zero; `otherwise` if it is absent. Throws Mistake if it is
  /// not a bool, int or float, for example for None.
  bool flag(std::size_t place, bool otherwise) const;

 private:
  std::vector<const Value*> values_;
};

}  // namespace knead::engine::model
