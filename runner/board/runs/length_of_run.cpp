#include "runner/board/runs/length_of_run.h"

#include <algorithm>
#include <array>

namespace knead::board {
namespace {

using schema::Unit;

/// Returns how much of the length a run has at a report, in the unit of the length.
std::optional<double> done(const track::Report& report, const LengthOfRun& length) {
  switch (length.until->unit) {
    case Unit::steps: return static_cast<double>(report.step);
    case Unit::epochs: return report.epoch;
    case Unit::samples: return static_cast<double>(report.samples);
    case Unit::seconds: return report.time;
    case Unit::tokens:
      if (length.tokens_per_sample > 0)
        return static_cast<double>(report.samples) * length.tokens_per_sample;
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<double> LengthOfRun::share(const track::Report& report) const {
  if (!until || !(until->value > 0)) return std::nullopt;
  const std::optional<double> part = done(report, *this);
  if (!part) return std::nullopt;
  return std::clamp(*part / until->value, 0.0, 1.0);
}

std::optional<double> LengthOfRun::seconds_left(const std::vector<track::Report>& reports) const {
  if (reports.size() < 2) return std::nullopt;
  const track::Report& last = reports.back();
  constexpr double kWindow = 30;
  std::size_t from = reports.size() - 2;
  while (from > 0 && reports[from].time > last.time - kWindow) --from;
  const std::optional<double> now = share(last);
  const std::optional<double> before = share(reports[from]);
  if (!now || !before || !(*now > *before)) return std::nullopt;
  return (1 - *now) * (last.time - reports[from].time) / (*now - *before);
}

LengthOfRun length_of_run(const schema::Node& recipe) {
  LengthOfRun length;
  constexpr std::array kUnits{Unit::steps, Unit::epochs, Unit::samples, Unit::tokens,
                              Unit::seconds};
  if (const schema::Node* until = schema::find_path(recipe, "train.until")) {
    const auto read = schema::read_quantity(until->text, kUnits);
    if (const auto* quantity = std::get_if<schema::Quantity>(&read)) length.until = *quantity;
  }
  if (const schema::Node* context = schema::find_path(recipe, "data.train.context"))
    length.tokens_per_sample = context->number;
  return length;
}

}  // namespace knead::board
