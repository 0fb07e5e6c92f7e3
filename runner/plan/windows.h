#pragma once

#include <cstdint>

#include "schema/rules/lengths.h"

namespace knead::plan {

/// The samples of one optimizer step: places [first, first + size) of its epoch's order.
struct Window {
  std::uint64_t epoch = 0;
  std::uint64_t first = 0;
  std::uint64_t size = 0;

  bool operator==(const Window&) const = default;
};

/// How a training set is cut into steps. An epoch ends on a step: a window never crosses it, the
/// last one is smaller, or dropped. The position in a run is one integer, the samples consumed.
class Windows {
 public:
  /// `tokens`: in a sample; 0 where samples are not made of tokens. Throws knead::Error where there
  /// is no step in an epoch.
  Windows(std::uint64_t samples, std::uint64_t batch, bool drop_last, std::uint64_t tokens = 0);

  std::uint64_t steps_per_epoch() const { return steps_per_epoch_; }

  /// The window of a step, counted from 0.
  Window at(std::uint64_t step) const;

  /// Samples consumed by the first `steps` steps.
  std::uint64_t samples_after(std::uint64_t steps) const;

  /// What lengths in epochs, samples and tokens are measured by.
  schema::Epoch epoch() const;

 private:
  std::uint64_t samples_;
  std::uint64_t batch_;
  bool drop_last_;
  std::uint64_t tokens_;
  std::uint64_t steps_per_epoch_;
};

}  // namespace knead::plan
