#pragma once

#include <cstdint>
#include <vector>

#include "runner/data/source/rows.h"
#include "runner/run/progress.h"
#include "schema/document/error.h"

namespace knead::engine {

/// An update that was not made because the loss or a gradient is NaN or infinite.
struct NotFinite {
  const Progress& progress;  // of the last good step
  double loss;               // the sum over the batch
  double gradient_norm;
  const std::vector<std::uint64_t>& samples;  // of the batch, within the training set
  const data::Rows& rows;                     // of the training set, within its files
};

/// The end of a run (exit code 5): which step, which rows, what is left.
Error not_finite(const NotFinite& update);

}  // namespace knead::engine
