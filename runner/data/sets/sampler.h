#pragma once

#include <vector>

#include "recipe.h"
#include "runner/data/sets/sets.h"

namespace knead::data {

/// How likely each sample of a set is drawn: a field of it, or so that each value of a field is
/// drawn equally often. Reads that field of all samples. Throws knead::Error where there is no such
/// field of one number, a weight is negative or not finite, or all are 0.
std::vector<double> sampling_weights(const Set& set, const recipe::Sampler& sampler);

}  // namespace knead::data
