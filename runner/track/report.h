#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

namespace knead::track {

/// Holds the numbers of training at a step: one line of metrics.jsonl.
struct Report {
  std::uint64_t step = 0;         // steps done
  double epoch = 0;               // epochs done, with their fraction
  std::uint64_t samples = 0;      // consumed
  double time = 0;                // seconds of training so far, over all starts of the run
  double loss = 0;                // Σ sums ÷ Σ weights over the steps since the last report
  double lr = 0;                  // of the last update, the schedule's factor included
  double gradient_norm = 0;       // of the last update, before clipping
  double samples_per_second = 0;  // since the last report
  double data_wait = 0;           // the share of that time, 0 … 1, spent waiting for samples
  std::uint64_t skipped = 0;      // updates left out so far

  bool operator==(const Report&) const = default;
};

/// A number of a report: its name in journals and tables, and where it stands. A count is an
/// integer, everything else a double.
struct ReportField {
  std::string_view name;
  std::variant<std::uint64_t Report::*, double Report::*> member;
  bool is_axis = false;  // says where on a chart the other numbers stand
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
};

}  // namespace knead::track
