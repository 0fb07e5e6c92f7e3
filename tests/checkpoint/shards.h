#pragma once

#include <vector>

#include "runner/checkpoint/store.h"

namespace knead::tests {

/// What each of `ranks` processes writes of a snapshot: the model's tensors whole, the numbers of
/// the other files in even pieces, which cut through parameters, or, if not `cut`, by whole
/// parameters. A state without dimensions, such as "h.weight/step", is with each piece.
std::vector<checkpoint::RankParts> cut_for_ranks(const checkpoint::Snapshot& snapshot, int ranks,
                                                 bool cut);

/// Lets all ranks write, one after another, and returns what the store seals. Their results have
/// travelled as text.
checkpoint::SharedSave written_by_ranks(files::FileSystem& files, checkpoint::Store& store,
                                        const checkpoint::Snapshot& snapshot,
                                        const std::vector<checkpoint::RankParts>& ranks);

}  // namespace knead::tests
