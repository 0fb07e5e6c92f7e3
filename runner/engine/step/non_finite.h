#pragma once

#include <cstdint>
#include <vector>

#include "runner/data/source/rows.h"
#include "runner/run/progress.h"
#include "schema/document/error.h"

namespace knead::engine {

/// Describes an update that was skipped because the loss or a gradient is NaN or infinite. A view
/// for one call of not_finite(): borrows all that it refers to.
struct NotFinite {
  /// State of the run before this update; its `step` is the step whose weights are saved.
  const run::Progress& progress;
  /// Sum of the loss over the batch; finite if only the gradient is not.
  double loss;
  /// Norm of all gradients, before clipping.
  double gradient_norm;
  /// Samples of the batch, as indices into the training set; not empty.
  const std::vector<std::uint64_t>& samples;
  /// Rows of the training set within its files, by index of the sample.
  const data::Rows& rows;
};

/// Returns the error that ends the run (exit code 5). It names the step, counted from 1, up to
/// eight rows of the batch, and the step whose weights are saved; its remedy lists options of the
/// recipe. Example: "the loss is NaN at step 12 (rows 3, 18, 77 of data.train)".
Error not_finite(const NotFinite& update);

}  // namespace knead::engine
