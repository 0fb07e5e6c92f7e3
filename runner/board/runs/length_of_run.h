#pragma once

#include <optional>
#include <vector>

#include "runner/track/report.h"
#include "schema/document/node.h"
#include "schema/document/quantity.h"

namespace knead::board {

/// The whole length of a run, as far as its resolved recipe tells it without the data.
struct LengthOfRun {
  /// train.until; std::nullopt if the recipe does not say it.
  std::optional<schema::Quantity> until{};
  /// Tokens in a sample; 0 if samples do not consist of tokens.
  double tokens_per_sample = 0;

  /// Returns the share of the run that is done at a report, 0 … 1; std::nullopt if it is unknown.
  std::optional<double> share(const track::Report& report) const;

  /// Returns the seconds until the end at the speed of the last half minute of `reports`, which are
  /// consecutive and end with the newest; std::nullopt if fewer than two reports tell a speed, or
  /// the length is unknown.
  std::optional<double> seconds_left(const std::vector<track::Report>& reports) const;
};

/// Reads the length from the tree of a resolved recipe; unknown where the tree lacks it.
LengthOfRun length_of_run(const schema::Node& recipe);

}  // namespace knead::board
