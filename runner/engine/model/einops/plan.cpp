#include "runner/engine/model/einops/plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model::einops {
namespace {

constexpr std::array<std::string_view, 7> kReductions = {"min",  "max", "sum", "mean",
                                                         "prod", "any", "all"};

[[noreturn]] void refuse_pattern(const std::string& message, const std::string& remedy = "") {
  throw Mistake::of("EinopsError", message, remedy);
}

/// Returns the names that one side has and the other has not. Numbers are never equal, so every
/// number counts.
std::set<std::string> only_in(const Expression& side, const Expression& other) {
  std::set<std::string> names;
  for (const Group& group : side.groups) {
    for (const Axis& axis : group) {
      if (axis.is_number()) {
        names.insert(fmt::format("{}-axis", axis.number));
      } else if (!other.has(axis.name)) {
        names.insert(axis.name);
      }
    }
  }
  return names;
}

void check_rearrange(const Expression& left, const Expression& right) {
  if (left.has_numbers() || right.has_numbers()) {
    refuse_pattern(
        "Non-unitary anonymous axes are not supported in rearrange (exception is length 1)",
        "give the axis a name, and its length by this name");
  }
  std::set<std::string> difference = only_in(left, right);
  difference.merge(only_in(right, left));
  if (difference.empty()) return;
  refuse_pattern(fmt::format("Identifiers only on one side of expression (should be on both): {}",
                             set_text(difference)),
                 "repeat() adds axes, reduce() takes them away");
}

void check_repeat(const Expression& left, const Expression& right,
                  const std::vector<std::string>& given) {
  if (const auto difference = only_in(left, right); !difference.empty()) {
    refuse_pattern(
        fmt::format("Unexpected identifiers on the left side of repeat: {}", set_text(difference)),
        "reduce() takes axes away");
  }
  std::set<std::string> unsized;
  for (const Group& group : right.groups) {
    for (const Axis& axis : group) {
      const bool is_given = std::find(given.begin(), given.end(), axis.name) != given.end();
      if (!axis.is_number() && !left.has(axis.name) && !is_given) unsized.insert(axis.name);
    }
  }
  if (unsized.empty()) return;
  refuse_pattern(fmt::format("Specify sizes for new axes in repeat: {}", set_text(unsized)),
                 fmt::format("give the length by name: {}=2", *unsized.begin()));
}

void check_reduce(const Expression& left, const Expression& right, const std::string& reduction) {
  if (std::find(kReductions.begin(), kReductions.end(), reduction) == kReductions.end()) {
    refuse_pattern(fmt::format("Unknown reduction {}. Expect one of {}.", reduction,
                               fmt::join(kReductions, ", ")));
  }
  const auto difference = only_in(right, left);
  if (difference.empty()) return;
  refuse_pattern(fmt::format("Unexpected identifiers on the right side of reduce {}: {}", reduction,
                             set_text(difference)),
                 "repeat() adds axes");
}

/// Refuses sides that do not fit the operation, in the order of einops.
void check_sides(const Expression& left, const Expression& right, const std::string& operation,
                 const std::vector<std::string>& given) {
  if (!left.has_ellipsis && right.has_ellipsis) {
    refuse_pattern("Ellipsis found in right side, but not left side of a pattern");
  }
  if (left.has_ellipsis_in_parentheses) {
    refuse_pattern("Ellipsis inside parenthesis in the left side is not allowed");
  }
  if (operation == "rearrange") return check_rearrange(left, right);
  if (operation == "repeat") return check_repeat(left, right, given);
  check_reduce(left, right, operation);
}

/// Makes the plan of two sides that fit each other.
class PlanMaker {
 public:
  PlanMaker(Plan& plan, const std::vector<std::string>& given) : plan_(plan), given_(given) {}

  void add_input(const Expression& left);
  void add_output(const Expression& right);
  /// Refuses a length for an axis that does not occur.
  void check_given() const;

 private:
  AxisIndex add_axis(const Axis& axis);
  bool is_known(const Axis& axis) const {
    return axis.is_number() || std::find(given_.begin(), given_.end(), axis.name) != given_.end();
  }

  Plan& plan_;
  const std::vector<std::string>& given_;
  std::map<std::string, AxisIndex> index_;
};

AxisIndex PlanMaker::add_axis(const Axis& axis) {
  plan_.axes.push_back(axis);
  const AxisIndex index = plan_.axes.size() - 1;
  if (!axis.is_number()) index_.emplace(axis.name, index);
  return index;
}

void PlanMaker::add_input(const Expression& left) {
  for (const Group& group : left.groups) {
    InputDimension dimension;
    std::set<std::string> unknown;
    for (const Axis& axis : group) {
      const AxisIndex index = add_axis(axis);
      if (axis.is_ellipsis()) {
        dimension.is_ellipsis = true;
        plan_.ellipsis = plan_.input.size();
      }
      if (is_known(axis)) {
        dimension.known.push_back(index);
      } else {
        dimension.unknown = index;
        unknown.insert(axis.name);
      }
    }
    if (unknown.size() > 1) {
      refuse_pattern(fmt::format("Could not infer sizes for {}", set_text(unknown)),
                     fmt::format("give all but one of them by name: {}=2", *unknown.begin()));
    }
    plan_.input.push_back(std::move(dimension));
  }
  plan_.input_axes = plan_.axes.size();
}

void PlanMaker::add_output(const Expression& right) {
  plan_.merges_ellipsis = right.has_ellipsis_in_parentheses;
  std::vector<AxisIndex> reduced(plan_.input_axes);
  std::iota(reduced.begin(), reduced.end(), AxisIndex{0});
  for (const Group& group : right.groups) {
    auto& dimension = plan_.output.emplace_back();
    for (const Axis& axis : group) {
      const auto found = axis.is_number() ? index_.end() : index_.find(axis.name);
      const AxisIndex index = found == index_.end() ? add_axis(axis) : found->second;
      dimension.push_back(index);
      if (plan_.is_new(index)) continue;
      plan_.order.push_back(index);
      std::erase(reduced, index);
    }
  }
  plan_.kept = plan_.order.size();
  plan_.order.insert(plan_.order.end(), reduced.begin(), reduced.end());
}

void PlanMaker::check_given() const {
  for (const std::string& name : given_) {
    if (const std::string fault = fault_of_axis_name(name); !fault.empty()) {
      refuse_pattern(fmt::format("Invalid name for an axis: {}", name), fault);
    }
    if (!index_.contains(name)) {
      refuse_pattern(fmt::format("Axis {} is not used in transform", name),
                     "take its length out of the call");
    }
  }
}

}  // namespace

bool Plan::splits_input() const {
  return std::any_of(input.begin(), input.end(),
                     [](const InputDimension& dimension) { return !dimension.is_single(); });
}

bool Plan::merges_output() const {
  return merges_ellipsis || std::any_of(output.begin(), output.end(), [](const auto& dimension) {
           return dimension.size() != 1;
         });
}

bool Plan::permutes() const { return !std::is_sorted(order.begin(), order.end()); }

bool Plan::reduces_ellipsis() const {
  if (!ellipsis) return false;
  const auto reduced = order.begin() + static_cast<std::ptrdiff_t>(kept);
  return std::any_of(reduced, order.end(),
                     [&](AxisIndex axis) { return axes[axis].is_ellipsis(); });
}

std::vector<AxisIndex> Plan::output_axes() const {
  std::vector<AxisIndex> all;
  for (const auto& dimension : output) all.insert(all.end(), dimension.begin(), dimension.end());
  return all;
}

std::string pattern_message_start(const std::string& operation, const std::string& pattern) {
  return fmt::format("Error while processing {}-reduction pattern \"{}\"", operation, pattern);
}

std::string shape_message_start(const Plan& plan) {
  return pattern_message_start(plan.operation, plan.pattern) + " for a tensor of shape {}: ";
}

Plan make_plan(const std::string& pattern, const std::string& operation,
               const std::vector<std::string>& given) {
  const auto [left_text, right_text] = sides_of(pattern);
  try {
    const Expression left = parse_expression(left_text), right = parse_expression(right_text);
    check_sides(left, right, operation, given);
    Plan plan;
    plan.pattern = pattern;
    plan.operation = operation;
    PlanMaker maker(plan, given);
    maker.add_input(left);
    maker.add_output(right);
    maker.check_given();
    return plan;
  } catch (const Mistake& mistake) {
    refuse_pattern(fmt::format("{}: {}", pattern_message_start(operation, pattern), mistake.what()),
                   mistake.remedy());
  }
}

}  // namespace knead::engine::model::einops
