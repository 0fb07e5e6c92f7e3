#pragma once

#include <cstdint>

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

}  // namespace knead::track
