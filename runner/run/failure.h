#pragma once

#include <cstdint>
#include <exception>

#include "runner/run/run_folder.h"
#include "runner/track/log.h"

namespace knead::run {

/// Writes to log.txt and end.json that a run failed after `step`, and why, for those who look at it
/// later. What cannot be written is lost without a message: the failure itself is what is told.
void keep_failure(RunFolder& folder, track::Log& log, std::uint64_t step,
                  const std::exception& failure);

}  // namespace knead::run
