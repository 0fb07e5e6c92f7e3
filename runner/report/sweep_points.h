#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/report/key_axis.h"
#include "runner/report/reported_sweep.h"

namespace knead::report {

/// The points of a sweep as figures and tables show them. Refers to the sweep, which must outlive
/// it and stay where it is.
struct SweepPoints {
  explicit SweepPoints(const ReportedSweep& reported);

  const ReportedSweep& sweep;
  std::vector<sweep::PointResult> points;
  /// Indices of `points`: the comparable ones from the best on, then the others.
  std::vector<std::size_t> ranked;
  std::vector<KeyAxis> axes;                     // by key
  std::vector<std::vector<std::string>> values;  // by point, then by key
  /// By point: 0 for the best ones to kColours - 1 for the worst; std::nullopt without a value.
  std::vector<std::optional<std::size_t>> colours;
  static constexpr std::size_t kColours = 7;

  /// Returns the mean with the spread over the seeds: "0.3329 ± 0.018"; "–" without a value.
  std::string value_words(std::size_t point) const;
  /// Returns the class of the style of a point: "c0" … "c6", or "cx" without a value.
  std::string style(std::size_t point) const;
  /// Returns how many points have a value.
  std::size_t with_value() const;
  /// Returns a scale over the values of all points, to places from 0 to 1.
  Scale objective_scale() const;
};

}  // namespace knead::report
