#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/data/source/rows.h"
#include "runner/data/source/source.h"
#include "runner/run/progress.h"
#include "schema/document/error.h"

namespace knead::engine {

/// Names a number of the training set that is NaN or infinite.
struct FaultyNumber {
  std::string field;
  std::uint64_t row;  // within the files
  double number;
};

/// Returns the first number that is not finite in the rows of a batch; std::nullopt if there is
/// none. Reads them again; the source is not that of a mix.
std::optional<FaultyNumber> find_faulty(const data::Source& source,
                                        const std::vector<std::uint64_t>& rows);

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
  /// The number of the data that is the cause; std::nullopt if all are finite.
  const std::optional<FaultyNumber>& faulty;
};

/// Returns the error that ends the run (exit code 5). It names the step, counted from 1, up to
/// eight rows of the batch, and the step whose weights are saved; its remedy lists options of the
/// recipe. Example: "the loss is NaN at step 12 (rows 3, 18, 77 of data.train)". Names the number
/// of the data instead if that is the cause.
Error not_finite(const NotFinite& update);

}  // namespace knead::engine
