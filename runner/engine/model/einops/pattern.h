#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knead::engine::model::einops {

// Reads the patterns of einops 0.8: "b (h w) c -> b c h w". The functions throw Mistake with the
// class EinopsError, or the class that einops raises, for a text that einops refuses.

/// The name of an ellipsis as an axis.
inline constexpr std::string_view kEllipsis = "...";

/// One axis as a pattern writes it.
struct Axis {
  std::string name;         // an identifier, kEllipsis, or empty for a number
  std::int64_t number = 0;  // the length that a number states, at least 2; 0 for a name

  bool is_number() const { return name.empty(); }
  bool is_ellipsis() const { return name == kEllipsis; }
};

/// The axes that form one dimension of a tensor. An axis outside of parentheses is a group of its
/// own; 1 and () are groups without axes.
using Group = std::vector<Axis>;

/// One side of a pattern.
struct Expression {
  std::vector<Group> groups;
  bool has_ellipsis = false;
  bool has_ellipsis_in_parentheses = false;

  /// Returns whether an axis of this name occurs; kEllipsis asks for the ellipsis.
  bool has(std::string_view name) const;
  /// Returns whether an axis is a number greater than 1.
  bool has_numbers() const;
  /// Returns the names of all axes, kEllipsis included and numbers as decimal texts.
  std::set<std::string> names() const;
};

/// States which names an expression accepts beyond those of rearrange().
struct Accepted {
  bool underscore = false;  // `_`, any number of times
  bool duplicates = false;  // a name several times
};

/// Parses one side of a pattern. Spaces separate axes; no other white space is accepted.
Expression parse_expression(std::string_view text, Accepted accepted = {});

/// Returns the texts before and behind the only arrow of a pattern.
std::pair<std::string, std::string> sides_of(std::string_view pattern);

/// Returns why a text is not the name of an axis; an empty text if it is one.
std::string fault_of_axis_name(std::string_view name);

/// Returns names as Python prints a set: "{'b', 'c'}".
std::string set_text(const std::set<std::string>& names);

/// A pattern of pack() and unpack(): names of axes and one `*`.
struct PackPattern {
  std::size_t before = 0;  // number of axes before `*`
  std::size_t after = 0;   // number of axes behind it
};

/// Parses the pattern of pack() or unpack(), whose name is `function`.
PackPattern parse_pack_pattern(const std::string& pattern, const std::string& function);

/// Returns the equation of torch.einsum for a pattern of einops.einsum: "ab,bc->ac". The letters
/// are those of einops, because torch.einsum adds products up in the order of the letters.
std::string einsum_equation(const std::string& pattern);

}  // namespace knead::engine::model::einops
