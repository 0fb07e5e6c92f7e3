#pragma once

#include <memory>

#include "recipe/metrics.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

// Makes metrics of the mean negative log likelihood of the target's classes, computed from logits
// over the items that are not ignored.

/// Makes the perplexity: e to the power of the mean negative log likelihood; at least 1, and
/// infinite if that overflows. NaN without items.
std::unique_ptr<Metric> make_perplexity(const recipe::Perplexity& options,
                                        const Surroundings& around);

/// Makes the mean negative log likelihood in bits, divided by the bytes of text that an item stands
/// for, the option bytes_per_token. NaN without items.
std::unique_ptr<Metric> make_bits_per_byte(const recipe::BitsPerByte& options,
                                           const Surroundings& around);

}  // namespace knead::engine::metrics
