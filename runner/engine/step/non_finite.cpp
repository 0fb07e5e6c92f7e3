#include "runner/engine/step/non_finite.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

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

/// Returns the first number of a sample's field that is not finite.
template <class Number>
std::optional<double> first_faulty(const std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    if (!std::isfinite(number)) return number;
  }
  return std::nullopt;
}

}  // namespace

std::optional<FaultyNumber> find_faulty(const data::Source& source,
                                        const std::vector<std::uint64_t>& rows) {
  for (std::size_t i = 0; i < source.fields().size(); ++i) {
    const data::Field& field = source.fields()[i];
    const bool is_double = field.dtype == data::Dtype::float64;
    if (!is_double && field.dtype != data::Dtype::float32) continue;
    std::vector<std::byte> bytes(field.bytes_per_sample());
    for (const std::uint64_t row : rows) {
      try {
        source.read(i, {.rows = std::span(&row, 1)}, bytes.data());
      } catch (const Error&) {
        continue;
      }
      const auto number = is_double ? first_faulty<double>(bytes) : first_faulty<float>(bytes);
      if (number) return FaultyNumber{field.name, row, *number};
    }
  }
  return std::nullopt;
}

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
  if (update.faulty) {
    return Error(fmt::format("{} at step {}{}: the field '{}' of row {} of data.train holds {}",
                             what, step + 1, times, update.faulty->field, update.faulty->row,
                             std::isnan(update.faulty->number) ? "NaN" : "an infinite number"),
                 left + "; mend the data, or leave such rows out", Exit::training_failed);
  }
  // Another name or --fresh, because a changed optimizer cannot resume the saved run.
  return Error(fmt::format("{} at step {} (rows {} of data.train){}", what, step + 1,
                           rows_in_words(update), times),
               left +
                   "; try a lower optimizer.lr, clip: 1.0, or non_finite: skip, under another "
                   "name or with --fresh",
               Exit::training_failed);
}

}  // namespace knead::engine
