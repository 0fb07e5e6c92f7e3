#pragma once

#include <span>
#include <string_view>

namespace knead::schema {

/// One kind of problem: its stable slug and its paragraph in the reference. Reports in SARIF and
/// other formats carry the slug, and other tools filter by it, so a slug keeps its meaning.
struct ProblemKind {
  std::string_view code;
  std::string_view words;
};

/// Returns all kinds in alphabetical order, with static lifetime. Every Problem has one of these
/// codes.
std::span<const ProblemKind> problem_kinds();

}  // namespace knead::schema
