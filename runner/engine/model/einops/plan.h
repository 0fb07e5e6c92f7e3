#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/engine/model/einops/pattern.h"

namespace knead::engine::model::einops {

// What rearrange(), repeat() and reduce() compute, as far as the pattern alone states it, and the
// sizes of every step for a tensor whose shape is known. The steps are those of einops, in its
// order: reshape, permute, reduce, unsqueeze and expand, reshape.

/// Number of a dimension between the reshapes in Plan::axes.
using AxisIndex = std::size_t;

/// One dimension of the input: the axes that it is composed of.
struct InputDimension {
  std::vector<AxisIndex> known;      // axes whose lengths do not come from the input
  std::optional<AxisIndex> unknown;  // the axis whose length is the rest
  bool is_ellipsis = false;          // any number of dimensions; `unknown` is their axis

  /// Returns whether the dimension is one axis.
  bool is_single() const { return known.size() + (unknown ? 1 : 0) == 1; }
};

/// A transformation for tensors of any shape that fits the pattern. The ellipsis counts as one
/// axis, whatever number of dimensions it stands for.
struct Plan {
  std::string pattern;
  /// "rearrange", "repeat" or the reduction: "min", "max", "sum", "mean", "prod", "any", "all".
  std::string operation;
  /// The axes of the input in its order, then those that only the result has.
  std::vector<Axis> axes;
  std::size_t input_axes = 0;  // number of axes of the input
  std::vector<InputDimension> input;
  std::optional<std::size_t> ellipsis;  // place of the ellipsis in `input`
  /// The order of the axes of the input after the permutation; those from `kept` on are reduced.
  std::vector<AxisIndex> order;
  std::size_t kept = 0;
  /// The axes of each dimension of the result.
  std::vector<std::vector<AxisIndex>> output;
  /// The result has the ellipsis in parentheses: all its dimensions become part of one.
  bool merges_ellipsis = false;

  /// Returns whether a dimension of the input is composed of several axes, or of none.
  bool splits_input() const;
  /// Returns whether a dimension of the result is composed of several axes, or of none.
  bool merges_output() const;
  /// Returns whether `order` changes the order.
  bool permutes() const;
  /// Returns whether only the result has an axis.
  bool is_new(AxisIndex axis) const { return axis >= input_axes; }
  /// Returns whether the ellipsis is one of the axes that are reduced.
  bool reduces_ellipsis() const;
  /// Returns the number of dimensions that the input has beside those of the ellipsis.
  std::size_t fixed_dimensions() const { return input.size() - (ellipsis ? 1 : 0); }
  /// Returns the axes of the result in order, before dimensions are composed of them.
  std::vector<AxisIndex> output_axes() const;
};

/// Makes the plan of a pattern. `given` are the names of the axes whose lengths the call gives.
/// Throws Mistake for everything that einops refuses without knowing a shape.
Plan make_plan(const std::string& pattern, const std::string& operation,
               const std::vector<std::string>& given);

/// The sizes of a plan for one shape. A step that is left out changes nothing.
struct Steps {
  std::optional<std::vector<std::int64_t>> split;   // sizes of the first reshape
  std::optional<std::vector<std::int64_t>> order;   // dimensions of the permutation
  std::vector<std::int64_t> reduced;                // dimensions to reduce, ascending
  std::vector<std::int64_t> added;                  // places of the new dimensions, ascending
  std::vector<std::int64_t> expanded;               // sizes of expand(): -1 keeps a size
  std::optional<std::vector<std::int64_t>> merged;  // sizes of the last reshape
};

/// Returns the steps for a tensor of this shape. `lengths` are those of the axes that make_plan()
/// was told of. Throws Mistake, in the words of einops, if the shape does not fit the pattern.
Steps make_steps(const Plan& plan, const std::vector<std::int64_t>& shape,
                 const std::vector<std::pair<std::string, std::int64_t>>& lengths);

// Sentences about shapes, in the words of einops. Each {} stands for a number, in order; compiled
// code fills them in as well, so they are texts of both fmt and Python.
inline constexpr const char* kWrongLength = "Shape mismatch, {} != {}";
inline constexpr const char* kWrongDivision =
    "Shape mismatch, can't divide axis of length {} in chunks of {}";
inline constexpr const char* kWrongDimensions =
    "Wrong shape: expected {} dims, received {}-dim tensor";
inline constexpr const char* kTooFewDimensions =
    "Wrong shape: expected >={} dims, received {}-dim tensor";
inline constexpr const char* kMeanOfIntegers =
    "reduce_mean is not available for non-floating tensors";

/// Returns how messages about a shape begin; a {} stands for the shape.
std::string shape_message_start(const Plan& plan);

/// Returns text that begins a message about a pattern.
std::string pattern_message_start(const std::string& operation, const std::string& pattern);

}  // namespace knead::engine::model::einops
