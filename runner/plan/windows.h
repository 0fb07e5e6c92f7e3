#pragma once

#include <cstdint>

#include "schema/rules/lengths.h"

namespace knead::plan {

/// The samples of one optimizer step: the places [first, first + size) in the order of its epoch.
struct Window {
  std::uint64_t epoch = 0;
  std::uint64_t first = 0;
  std::uint64_t size = 0;

  bool operator==(const Window&) const = default;
};

/// The part of each window that one of several ranks takes. Sizes differ by at most one sample; the
/// first ranks take one more. A rank takes nothing of a window with fewer samples than ranks before
/// it.
struct Share {
  std::uint64_t rank = 0;
  std::uint64_t ranks = 1;

  /// Returns the places that the rank takes of a window: 10 samples and 4 ranks make 3, 3, 2 and 2.
  Window of(const Window& window) const;
};

/// The division of a training set into steps. A window never crosses the end of an epoch: the last
/// window is smaller, or dropped. The position in a run is one integer, the number of consumed
/// samples. 10 samples in batches of 4 make 3 steps of 4, 4 and 2 samples, or 2 steps with
/// drop_last. Immutable, and all functions take constant time.
class Windows {
 public:
  /// `samples` is the size of the set, `batch` the samples of a step, at least 1. `tokens` is the
  /// number of tokens in a sample, 0 if samples do not consist of tokens. Throws knead::Error if an
  /// epoch has no step: without samples, or with drop_last and fewer samples than a batch.
  Windows(std::uint64_t samples, std::uint64_t batch, bool drop_last, std::uint64_t tokens = 0);

  std::uint64_t steps_per_epoch() const { return steps_per_epoch_; }

  /// Returns the window of a step, counted from 0 at the beginning of the run and on through all
  /// epochs.
  Window at(std::uint64_t step) const;

  /// Returns the number of samples that the first `steps` steps consume, through all epochs.
  /// Samples that drop_last drops do not count.
  std::uint64_t samples_after(std::uint64_t steps) const;

  /// Returns the length of an epoch, for lengths in epochs, samples and tokens.
  schema::Epoch epoch() const;

 private:
  std::uint64_t samples_;
  std::uint64_t batch_;
  bool drop_last_;
  std::uint64_t tokens_;
  std::uint64_t steps_per_epoch_;
};

}  // namespace knead::plan
