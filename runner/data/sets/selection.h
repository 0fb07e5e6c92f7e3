#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe/data.h"
#include "recipe/transforms.h"
#include "runner/data/source/rows.h"

namespace knead::data {

/// Holds the keys by which a set of any kind selects rows. All of them empty: the set has all rows.
struct Selection {
  /// Bounds the rows [begin, end), as numbers or as shares of all rows.
  std::optional<std::vector<schema::Quantity>> rows;
  std::optional<std::string> like;  // set to hold rows out of
  /// Tells how many rows are held out, as a number or a share; std::nullopt if none are.
  std::optional<schema::Quantity> hold_out;
};

/// Returns the selection keys of a set; `rows` is empty for sets that cut samples out of a stream.
Selection selection_of(const recipe::DataSet& set);

/// Returns the set without its selection, transforms and weight. Two sets read the same source if
/// the results are equal. The key `rows` stays for kinds that cut samples out of a stream, since it
/// determines their source.
recipe::DataSet without_selection(recipe::DataSet set);

/// Returns the transforms of a set; an empty list for kinds without transforms.
std::vector<recipe::Transform> transforms_of(const recipe::DataSet& set);

/// Selects rows of a source of `rows` rows: those of selection.rows, or all. Shares are rounded
/// down, so that [0%, 90%] and [90%, 100%] have no row in common. `set`: for the files in a
/// message. `name`: "data.train", for messages. Throws knead::Error if no row is selected or a
/// selected row does not exist.
Rows select_rows(const std::string& name, const recipe::DataSet& set, const Selection& selection,
                 std::uint64_t rows);

/// Moves a share of the rows, drawn at random by the seed, out of `from` and returns it; both parts
/// keep their order. A percentage is one of `whole`, the number of rows before another set held
/// some out, rounded to the nearest number; at least one row is held out. The draw depends on the
/// seed and on the number of rows alone. Throws knead::Error if no row
/// would be left in `from`.
Rows hold_out(Rows& from, std::uint64_t whole, const schema::Quantity& share, std::uint64_t seed);

/// Returns a set of a mix as a set of its own, with its weight, so that functions for sets apply to
/// it.
recipe::DataSet set_of(const recipe::MixMember& member);

}  // namespace knead::data
