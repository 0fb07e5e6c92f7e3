#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/metrics/metric.h"

namespace knead::engine::metrics {

// From the mean negative log likelihood of the right class, of logits, over items that are not
// ignored.

/// e to its power.
std::unique_ptr<Metric> make_perplexity(const recipe::Perplexity& options,
                                        const Surroundings& around);

/// In bits, over the bytes of text that an item stands for.
std::unique_ptr<Metric> make_bits_per_byte(const recipe::BitsPerByte& options,
                                           const Surroundings& around);

}  // namespace knead::engine::metrics
