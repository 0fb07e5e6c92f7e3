#pragma once

#include <span>
#include <string_view>

namespace knead::schema {

/// A kind of problem: its stable slug, and the paragraph that the reference gives to it.
struct ProblemKind {
  std::string_view code;
  std::string_view words;
};

/// Every kind there is, in alphabetical order.
std::span<const ProblemKind> problem_kinds();

}  // namespace knead::schema
