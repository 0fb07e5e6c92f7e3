#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace knead::track {

/// Holds the numbers of training at a step: one line of metrics.jsonl.
struct Report {
  /// Completed steps, over all starts of the run.
  std::uint64_t step = 0;
  /// Completed epochs with their fraction: 1.5 in the middle of the second one.
  double epoch = 0;
  /// Samples consumed so far, those of skipped updates included.
  std::uint64_t samples = 0;
  /// Seconds of training so far, over all starts of the run.
  double time = 0;
  /// Σ sums ÷ Σ weights of the losses over the steps since the last report, so that every sample or
  /// token counts once however the steps were divided.
  double loss = 0;
  /// Learning rate of the last update, the schedule's factor included.
  double lr = 0;
  /// Norm of the gradients of the last update, before clipping.
  double gradient_norm = 0;
  /// Samples of all ranks per second since the last report.
  double samples_per_second = 0;
  /// Share of that time, 0 … 1, in which training waited for samples.
  double data_wait = 0;
  /// Updates left out so far, because a number was not finite.
  std::uint64_t skipped = 0;
  /// Model FLOPs utilization, 0 … 1: the operations of forward and backward per second since the
  /// last report ÷ those that the devices of all ranks can do. 0 if their peak is not known.
  double mfu = 0;

  bool operator==(const Report&) const = default;
};

/// A number of a report: its name in journals and tables, and where it stands. A count is an
/// integer, everything else a double.
struct ReportField {
  /// Key of metrics.jsonl and column of tables: "gradient_norm".
  std::string_view name;
  std::variant<std::uint64_t Report::*, double Report::*> member;
  /// Says where on a chart the other numbers stand, so it has no curve of its own.
  bool is_axis = false;
};

/// All numbers of a report, in the order in which files hold them. Each file format is written and
/// read by this table.
inline constexpr std::array kReportFields{
    ReportField{"step", &Report::step, /*is_axis=*/true},
    ReportField{"epoch", &Report::epoch},
    ReportField{"samples", &Report::samples, /*is_axis=*/true},
    ReportField{"time", &Report::time, /*is_axis=*/true},
    ReportField{"loss", &Report::loss},
    ReportField{"lr", &Report::lr},
    ReportField{"gradient_norm", &Report::gradient_norm},
    ReportField{"samples_per_second", &Report::samples_per_second},
    ReportField{"data_wait", &Report::data_wait},
    ReportField{"skipped", &Report::skipped},
    ReportField{"mfu", &Report::mfu},
};

/// The numbers that each report has: all but the utilization, which stands last.
inline constexpr std::span kFixedReportFields{kReportFields.begin(), kReportFields.size() - 1};

/// Returns the numbers that a report has: without the utilization if that is not known.
constexpr std::span<const ReportField> fields_of(const Report& report) {
  return report.mfu > 0 ? std::span<const ReportField>(kReportFields) : kFixedReportFields;
}

}  // namespace knead::track
