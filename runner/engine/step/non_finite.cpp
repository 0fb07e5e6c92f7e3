#include "runner/engine/step/non_finite.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace knead::engine {
namespace {

std::string in_words(double value) { return std::isnan(value) ? "NaN" : "infinite"; }

/// Returns the rows of the batch for a message, at most eight of them: "3, 18, 77 and 29 more".
std::string rows_in_words(const NotFinite& update) {
  constexpr std::size_t kShown = 8;
  std::string text;
  const std::size_t shown = std::min(kShown, update.samples.size());
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", update.rows[update.samples[i]]);
  const std::size_t more = update.samples.size() - shown;
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

}  // namespace

Error not_finite(const NotFinite& update) {
  // A non-finite loss is named first, because it makes the gradients non-finite too.
  const std::string what = std::isfinite(update.loss)
                               ? "the gradient is " + in_words(update.gradient_norm)
                               : "the loss is " + in_words(update.loss);
  const std::uint64_t step = update.progress.step;
  const std::string left =
      step == 0 ? "no step was taken" : fmt::format("the weights of step {} are saved", step);
  const std::string times =
      update.progress.skipped_in_a_row == 0
          ? ""
          : fmt::format(", after {} steps left out in a row", update.progress.skipped_in_a_row);
  // Another name or --fresh, because a changed optimizer cannot resume the saved run.
  return Error(fmt::format("{} at step {} (rows {} of data.train){}", what, step + 1,
                           rows_in_words(update), times),
               left +
                   "; try a lower optimizer.lr, clip: 1.0, or non_finite: skip, under another "
                   "name or with --fresh",
               Exit::training_failed);
}

}  // namespace knead::engine
