#pragma once

#include <span>
#include <string_view>

namespace knead::schema {

/// One kind of problem: its stable slug and its paragraph in the reference.
struct ProblemKind {
  std::string_view code;
  std::string_view words;
};

/// Returns all kinds in alphabetical order.
std::span<const ProblemKind> problem_kinds();

}  // namespace knead::schema
