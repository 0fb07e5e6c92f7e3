#pragma once

#include <memory>

#include "runner/track/sink.h"

namespace knead::track {

inline constexpr const char* kCsvFile = "metrics.csv";

/// Returns a sink that writes metrics.csv in the folder of a run: a header, then a row for each
/// report and each evaluation in their order; cells without a number are empty. Cuts the file back
/// to `positions`. Throws knead::Error if the file cannot be opened.
std::unique_ptr<Sink> make_csv_sink(const About& about, const Positions& positions, Warn warn);

}  // namespace knead::track
