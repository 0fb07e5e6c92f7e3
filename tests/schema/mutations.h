#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/bad_recipes/recipe_keys.h"

namespace knead::tests {

/// Bytes [begin, end) of a recipe, and what takes their place.
struct Edit {
  std::size_t begin, end;
  std::string instead;
};

/// One mistake in a recipe that has none.
struct Mutation {
  std::vector<Edit> edits;  // from the back of the text to its front
  std::size_t at;           // the byte of the new text that the problem must be placed at
  std::string hint;         // what the hint must hold; empty if any will do
  std::string what;
  std::optional<std::size_t> or_at = std::nullopt;  // another place that will do

  std::string applied_to(std::string text) const;
};

/// The mistakes of one kind that a recipe can have.
struct Mutations {
  std::vector<std::vector<Mutation>> by_key;  // those at one key, or at one value
  int left_out = 0;                           // what would have been none
};

/// Each letter of a key dropped, doubled, swapped with the next, replaced.
Mutations misspelt(const Recipe& recipe);

/// A value of another shape than its key takes.
Mutations wrong_type(const Recipe& recipe);

/// A value of the right shape that its key does not allow.
Mutations out_of_range(const Recipe& recipe);

/// A quantity without its unit.
Mutations unit_dropped(const Recipe& recipe);

/// A required key that is not there.
Mutations removed(const Recipe& recipe);

/// A key written once more, behind itself.
Mutations duplicated(const Recipe& recipe);

/// A key in a block that has none of its name.
Mutations moved(const Recipe& recipe);

}  // namespace knead::tests
