#pragma once

#include "runner/data/sets/sets.h"

namespace knead::data {

/// Opens a set that a recipe does not have, as one that is evaluated: no transform draws, and all
/// its rows are samples. What data.train decides for all sets holds for it too: the characters of
/// texts, the classes and the size of images. `set` has the keys of data.train, which messages
/// name; it is no mix. Throws knead::Error where its files cannot be used.
Set read_set_like_train(const recipe::DataSet& set, const recipe::DataSet& train,
                        std::uint64_t seed);

}  // namespace knead::data
