#pragma once

#include <cstdint>
#include <vector>

#include "runner/data/source/rows.h"
#include "runner/run/progress.h"
#include "schema/document/error.h"

namespace knead::engine {

/// Describes an update that was skipped because the loss or a gradient is NaN or infinite.
struct NotFinite {
  const run::Progress& progress;              // after the last good step
  double loss;                                // sum over the batch
  double gradient_norm;                       // before clipping
  const std::vector<std::uint64_t>& samples;  // the batch, as indices into the training set
  const data::Rows& rows;                     // of the training set, within its files
};

/// Returns the error that ends the run (exit code 5). It names the step, the rows of the batch and
/// the step whose weights are saved.
Error not_finite(const NotFinite& update);

}  // namespace knead::engine
