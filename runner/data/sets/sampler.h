#pragma once

#include <vector>

#include "recipe/data.h"
#include "runner/data/sets/sets.h"

namespace knead::data {

/// Returns a weight for each sample, proportional to the probability of drawing it: the value of a
/// field, or a weight that makes all values of a field equally frequent. Reads that field of all
/// samples. Throws knead::Error if the field does not exist or has more than one number, or if a
/// weight is negative, infinite or NaN, or if all weights are 0.
std::vector<double> sampling_weights(const Set& set, const recipe::Sampler& sampler);

}  // namespace knead::data
