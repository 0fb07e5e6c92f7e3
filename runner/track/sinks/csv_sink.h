#pragma once

#include <memory>

#include "runner/track/sink.h"

namespace knead::track {

/// Name of the file in the folder of a run, and its key in Positions.
inline constexpr const char* kCsvFile = "metrics.csv";

/// Returns a sink that writes metrics.csv in the folder of a run: a header, then a row for each
/// report and each evaluation in their order; cells without a number are empty. Columns are the
/// fields of a report, of which the loss is called train/loss, then About::evaluated. NaN and
/// infinities are written as nan, inf and -inf, which Python and R read.
///
/// Cuts the file back to `positions`, to nothing if the file is not in them. Throws knead::Error if
/// the file cannot be opened; later failures go to `warn`.
std::unique_ptr<Sink> make_csv_sink(const About& about, const Positions& positions, Warn warn);

}  // namespace knead::track
