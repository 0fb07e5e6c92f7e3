#pragma once

#include <string>

#include "runner/board/runs/glance.h"

namespace knead::board {

// These functions return the words of a list of runs, safe to show on a terminal; "-" if a value is
// not known.

/// Returns "470  50%".
std::string done_in_words(const Glance& run);
/// Returns "0.2314", the loss of the last report.
std::string loss_in_words(const Glance& run);
/// Returns "accuracy 0.9512 at 400".
std::string best_in_words(const Glance& run);
/// Returns "12.4k samples/s", or of a run on tokens "790k tokens/s".
std::string rate_in_words(const Glance& run);
/// Returns "38 s left"; of a running run that has not written for a while, "silent 5 min".
std::string time_in_words(const Glance& run);

}  // namespace knead::board
