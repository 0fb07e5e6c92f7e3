#pragma once

#include <cstddef>
#include <string_view>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

/// Returns whether lists, tuples, dicts, sets and slices in a value nest at most 64 deep and have
/// at most ten million items, a shared one counted wherever it is. False for a value that contains
/// itself. Objects count as one item; what is in them is not visited. Takes time linear in the
/// number of distinct containers.
bool is_small(const Value& value);

/// Throws Mistake for one more part of a module that has 20,000: they are searched one after the
/// other, and no model has so many. Throws for a name of more than 1000 bytes, too: the names of
/// all that is below the part begin with it.
void expect_part(std::size_t parts, std::string_view name);

}  // namespace knead::engine::model
