#pragma once

#include "runner/data/sets/sets.h"

namespace knead::data {

/// Opens a set that is not part of the recipe, for evaluation: transforms draw nothing, and all
/// rows are samples; only a set of text or tokens keeps its key `rows`. The set shares with
/// data.train the tokenizer, the classes and the size of images; for that, files of data.train are
/// read again where `tokenizer` is null, or the recipe does not name classes or size. `set` has the
/// keys of data.train, which messages name, and is not a mix. Throws knead::Error if its files
/// cannot be used, and std::logic_error for a mix.
Set read_set_like_train(const recipe::DataSet& set, const recipe::DataSet& train,
                        std::uint64_t seed, std::shared_ptr<const Tokenizer> tokenizer = nullptr);

}  // namespace knead::data
