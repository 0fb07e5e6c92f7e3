#pragma once

#include <memory>

#include "runner/track/sink.h"

namespace knead::track {

inline constexpr const char* kCsvFile = "metrics.csv";

/// metrics.csv in the folder of a run: a header, then a row for each report and each evaluation, in
/// the order they happened; a cell is empty where the row does not have that number.
std::unique_ptr<Sink> make_csv_sink(const About& about, const Positions& positions, Warn warn);

}  // namespace knead::track
