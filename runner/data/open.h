#pragma once

#include <cstdint>
#include <memory>

#include "recipe.h"
#include "runner/data/source.h"

namespace knead::data {

/// What the sets of a recipe share while they are opened.
struct Opening {
  std::uint64_t seed = 0;  // what reading draws at random derives from it
};

/// Opens the files of a set, of whatever kind it is, and checks them. All rows are there: what
/// `rows` and `hold_out` take of them is not looked at. Throws knead::Error where they cannot be
/// used.
std::shared_ptr<const Source> open(const recipe::DataSet& set, Opening& opening);

}  // namespace knead::data
