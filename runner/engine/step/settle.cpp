#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/engine/step/non_finite.h"
#include "runner/engine/step/update.h"
#include "runner/trace/watch.h"
#include "schema/document/count_words.h"
#include "schema/document/error.h"

// The second half of an update: judge it, put back what it changed if it is skipped, and count it.

namespace knead::engine {

bool Updates::settle() {
  if (!pending_) return true;
  PendingUpdate update = std::move(*pending_);
  pending_.reset();
  const bool is_made = judge(update);
  count(update);
  if (trained_.average) trained_.average->follow(progress_.step);
  return is_made;
}

/// Reads the numbers that a device has computed, and restores the model if one of them is not
/// finite. An overflow of fp16 that the loss scale absorbs is not a non-finite update: it only
/// reduces the scale.
bool Updates::judge(PendingUpdate& update) {
  if (update.unread) {
    const trace::Span span("waits for the device");
    const std::span<const double> numbers = update.unread->wait();
    for (const double loss : numbers.first(numbers.size() - 1)) update.loss += loss;
    update.norm = numbers.back();
  }
  norm_ = update.norm;
  const bool has_norm = std::isfinite(update.norm);
  const bool has_loss = std::isfinite(update.loss);
  const bool is_made = has_norm && has_loss;
  if (!is_made) {
    const bool is_absorbed =
        has_loss && plan::absorbs_overflow(recipe_.precision, progress_.loss_scale);
    if (!is_absorbed) leave_out(update);
    update.model.restore();
    ++progress_.skipped;
  } else if (update.weight != 0) {
    progress_.skipped_in_a_row = 0;
  }
  progress_.loss_scale = plan::next_loss_scale(recipe_.precision, progress_.loss_scale, has_norm);
  return is_made;
}

/// Counts a skipped update. Throws if `non_finite` ends the run; all state is then restored to that
/// before the update, and saved.
void Updates::leave_out(const PendingUpdate& update) {
  const recipe::NonFinite& rule = recipe_.non_finite;
  const bool is_last = rule.action == recipe::NonFinite::Action::stop ||
                       progress_.skipped_in_a_row >= static_cast<std::uint64_t>(rule.most_in_a_row);
  if (!is_last) {
    ++progress_.skipped_in_a_row;
    return;
  }
  update.model.restore();
  update.generator.restore();
  --progress_.step;
  const plan::Window window = course_.windows.at(progress_.step);
  progress_.samples -= window.size;
  options_.save();
  std::vector<std::uint64_t> samples;  // of all ranks
  order_.read(window, samples);
  // Turns say which sample of a mix is read, so that none can be read by itself.
  std::vector<std::uint64_t> rows;
  set_.find_rows(samples, rows);
  const auto faulty = std::holds_alternative<recipe::Mix>(recipe_.data.train)
                          ? std::nullopt
                          : find_faulty(set_.source(), rows);
  throw not_finite({progress_, update.loss, update.norm, samples, set_.rows(), faulty});
}

/// Adds the loss of an update to the sums of the next report, unless the update was left out for a
/// number that is not finite. An overflow that the loss scale absorbs counts: its loss is finite.
void Updates::count(const PendingUpdate& update) {
  if (gradients_ && update.weight > 0 && std::isfinite(update.weight))
    progress_.sample_weight =
        update.weight / static_cast<double>(course_.windows.at(progress_.step - 1).size);
  if (progress_.skipped_in_a_row == 0) {
    progress_.loss_sum += update.loss;
    progress_.loss_weight += update.weight;
  }
  count_without_targets(update);
}

/// Returns whether all micro-batches of the batch were passed.
bool Updates::is_whole(const PendingUpdate& update) const {
  return update.losses.size() * micro_ >= update.samples.size();
}

/// Counts consecutive updates without a target that counts. A single one depends on the data; an
/// epoch of them, or a whole shorter run, is a mistake in the recipe, and the function throws.
void Updates::count_without_targets(const PendingUpdate& update) {
  if (!is_whole(update)) return;
  without_targets_ = update.weight == 0 ? without_targets_ + 1 : 0;
  std::uint64_t most = course_.windows.steps_per_epoch();
  if (course_.steps) most = std::min(most, *course_.steps);
  if (without_targets_ == 0 || without_targets_ < most) return;
  throw Error(
      fmt::format("nothing was learnt in {}: every target '{}' is ignored, or has the "
                  "weight 0",
                  schema::count_words(without_targets_, "step"), losses::target_of(recipe_.loss)),
      "look at loss.ignore_index and at the values of the field");
}

}  // namespace knead::engine
