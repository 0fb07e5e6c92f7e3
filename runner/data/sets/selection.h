#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/data/source/rows.h"

namespace knead::data {

/// What data sets of every kind say about which rows they take.
struct Selection {
  std::optional<std::vector<schema::Quantity>> rows;
  std::optional<std::string> like;
  std::optional<schema::Quantity> hold_out;
};

Selection selection_of(const recipe::DataSet& set);

/// A set's keys but for which rows it takes and what is done to them: equal ones name the same
/// source.
recipe::DataSet without_selection(recipe::DataSet set);

std::vector<recipe::Transform> transforms_of(const recipe::DataSet& set);

/// The rows that a set takes of those that its files have. `name`: "data.train", for messages.
/// Throws knead::Error where these are none, or not all there.
Rows select_rows(const std::string& name, const recipe::DataSet& set, const Selection& selection,
                 std::uint64_t rows);

/// Takes a share of the rows out of them, drawn by the seed, both parts in their order.
Rows hold_out(Rows& from, const schema::Quantity& share, std::uint64_t seed);

/// A set of a mix as a set of its own.
recipe::DataSet set_of(const recipe::MixMember& member);

}  // namespace knead::data
