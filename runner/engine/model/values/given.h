#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// The arguments of a function of ours, by the places of its parameters.
class Given {
 public:
  /// Throws Mistake in Python's words where arguments are missing (the first `required` parameters
  /// must be there), too many, or of unknown names. A name that begins with '*' is taken by name
  /// only. Methods name self first.
  Given(std::string_view function, const Arguments& arguments,
        std::vector<std::string_view> parameters, std::size_t required);

  bool has(std::size_t place) const { return values_[place] != nullptr; }
  const Value& operator[](std::size_t place) const { return *values_[place]; }

  /// The argument, or None where there is none.
  const Value& or_none(std::size_t place) const;

  /// The argument as a flag, or what it is without one.
  bool flag(std::size_t place, bool otherwise) const;

 private:
  std::vector<const Value*> values_;
};

}  // namespace knead::engine::model
