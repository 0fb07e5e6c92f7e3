#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "runner/engine/model/einops/plan.h"
#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model::einops {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Computes the steps of a plan for one shape. The ellipsis has one length for each dimension that
/// it stands for; every other axis has one.
class StepMaker {
 public:
  StepMaker(const Plan& plan, const Sizes& shape) : plan_(plan), shape_(shape) {}

  Steps make(const std::vector<std::pair<std::string, std::int64_t>>& lengths);

 private:
  /// Throws Mistake with a sentence of plan.h, whose {} are filled with the numbers.
  template <class... Numbers>
  [[noreturn]] void refuse(const char* sentence, Numbers... numbers) const {
    throw Mistake::of("EinopsError", fmt::format(fmt::runtime(shape_message_start(plan_)),
                                                 fmt::format("[{}]", fmt::join(shape_, ", "))) +
                                         fmt::format(fmt::runtime(sentence), numbers...));
  }
  void check_dimensions() const;
  void set_given(const std::vector<std::pair<std::string, std::int64_t>>& lengths);
  void measure();
  void measure(const InputDimension& dimension, std::int64_t length);
  /// Returns the lengths of axes one after another.
  Sizes lengths_of(const std::vector<AxisIndex>& axes) const;
  /// Returns the first dimension of an axis after the first reshape.
  std::int64_t place_of(AxisIndex axis) const;
  void permute(Steps& steps) const;
  void reduce(Steps& steps) const;
  void expand(Steps& steps) const;
  void merge(Steps& steps) const;

  const Plan& plan_;
  const Sizes& shape_;
  std::vector<Sizes> lengths_;  // by axis
};

std::int64_t product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

void StepMaker::check_dimensions() const {
  const std::size_t fixed = plan_.fixed_dimensions();
  if (plan_.ellipsis && shape_.size() < fixed) refuse(kTooFewDimensions, fixed, shape_.size());
  if (!plan_.ellipsis && shape_.size() != fixed) refuse(kWrongDimensions, fixed, shape_.size());
}

void StepMaker::set_given(const std::vector<std::pair<std::string, std::int64_t>>& lengths) {
  for (AxisIndex i = 0; i < plan_.axes.size(); ++i) {
    const Axis& axis = plan_.axes[i];
    if (axis.is_number()) lengths_[i] = {axis.number};
    for (const auto& [name, length] : lengths) {
      if (axis.name == name) lengths_[i] = {length};
    }
  }
}

void StepMaker::measure() {
  std::size_t place = 0;
  for (const InputDimension& dimension : plan_.input) {
    if (!dimension.is_ellipsis) {
      measure(dimension, shape_[place++]);
      continue;
    }
    for (std::size_t left = shape_.size() - plan_.fixed_dimensions(); left > 0; --left) {
      lengths_[*dimension.unknown].push_back(shape_[place++]);
    }
  }
}

void StepMaker::measure(const InputDimension& dimension, std::int64_t length) {
  const std::int64_t known = product(lengths_of(dimension.known));
  if (!dimension.unknown) {
    if (length != known) refuse(kWrongLength, length, known);
    return;
  }
  if (known == 0 || length % known != 0) refuse(kWrongDivision, length, known);
  lengths_[*dimension.unknown] = {length / known};
}

Sizes StepMaker::lengths_of(const std::vector<AxisIndex>& axes) const {
  Sizes all;
  for (const AxisIndex axis : axes) {
    all.insert(all.end(), lengths_[axis].begin(), lengths_[axis].end());
  }
  return all;
}

std::int64_t StepMaker::place_of(AxisIndex axis) const {
  std::int64_t place = 0;
  for (AxisIndex before = 0; before < axis; ++before) {
    place += static_cast<std::int64_t>(lengths_[before].size());
  }
  return place;
}

void StepMaker::permute(Steps& steps) const {
  if (!plan_.permutes()) return;
  steps.order.emplace();
  for (const AxisIndex axis : plan_.order) {
    for (std::size_t i = 0; i < lengths_[axis].size(); ++i) {
      steps.order->push_back(place_of(axis) + static_cast<std::int64_t>(i));
    }
  }
}

void StepMaker::reduce(Steps& steps) const {
  const auto middle = plan_.order.begin() + static_cast<std::ptrdiff_t>(plan_.kept);
  const auto kept = lengths_of({plan_.order.begin(), middle}).size();
  steps.reduced.resize(lengths_of({middle, plan_.order.end()}).size());
  std::iota(steps.reduced.begin(), steps.reduced.end(), static_cast<std::int64_t>(kept));
}

void StepMaker::expand(Steps& steps) const {
  for (const AxisIndex axis : plan_.output_axes()) {
    for (const std::int64_t length : lengths_[axis]) {
      if (plan_.is_new(axis)) {
        steps.added.push_back(static_cast<std::int64_t>(steps.expanded.size()));
      }
      steps.expanded.push_back(plan_.is_new(axis) ? length : -1);
    }
  }
}

void StepMaker::merge(Steps& steps) const {
  if (!plan_.merges_output()) return;
  steps.merged.emplace();
  for (const auto& dimension : plan_.output) {
    const Sizes lengths = lengths_of(dimension);
    const bool is_ellipsis = dimension.size() == 1 && plan_.axes[dimension.front()].is_ellipsis();
    if (is_ellipsis && !plan_.merges_ellipsis) {
      steps.merged->insert(steps.merged->end(), lengths.begin(), lengths.end());
    } else {
      steps.merged->push_back(product(lengths));
    }
  }
}

Steps StepMaker::make(const std::vector<std::pair<std::string, std::int64_t>>& lengths) {
  check_dimensions();
  lengths_.resize(plan_.axes.size());
  set_given(lengths);
  measure();
  Steps steps;
  if (plan_.splits_input()) {
    std::vector<AxisIndex> axes(plan_.input_axes);
    std::iota(axes.begin(), axes.end(), AxisIndex{0});
    steps.split = lengths_of(axes);
  }
  permute(steps);
  reduce(steps);
  expand(steps);
  merge(steps);
  return steps;
}

}  // namespace

Steps make_steps(const Plan& plan, const std::vector<std::int64_t>& shape,
                 const std::vector<std::pair<std::string, std::int64_t>>& lengths) {
  return StepMaker(plan, shape).make(lengths);
}

}  // namespace knead::engine::model::einops
