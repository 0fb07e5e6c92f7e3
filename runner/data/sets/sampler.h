#pragma once

#include <vector>

#include "recipe/data.h"
#include "runner/data/sets/sets.h"

namespace knead::data {

/// Returns a weight for each sample, in the order of the set, proportional to the probability of
/// drawing it. With `weights` it is the value of that field; with `balanced` it is one divided by
/// the number of samples with the same value, which makes all values of the field equally frequent:
/// the labels 0, 0, 0, 1 give ⅓, ⅓, ⅓, 1.
///
/// Reads that field of all samples, and so the whole set if its samples are decoded. Throws
/// knead::Error with the exit code of an invalid recipe if the field does not exist or has more
/// than one number, and knead::Error if a weight is negative, infinite or NaN, or if all weights
/// are 0.
std::vector<double> sampling_weights(const Set& set, const recipe::Sampler& sampler);

}  // namespace knead::data
