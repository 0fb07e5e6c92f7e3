#pragma once

#include <string>
#include <vector>

#include "recipe.h"
#include "runner/sweep/search/space.h"
#include "schema/document/node.h"
#include "schema/variations.h"

namespace knead::sweep {

/// A key that a sweep changes, with what it may be.
struct SweptValues {
  std::string key;  // "optimizer.lr"
  Dimension dimension;
  std::vector<schema::Node> choices;  // of Choices, in the recipe's order
  schema::Place place;                // of the range of another dimension
};

/// Returns the keys of `sweep.over`, or of `sweep.list`, in the recipe's order. `block` is the
/// tree of `sweep` in a recipe that load() has returned. The keys of a list are those of its first
/// item; the choices of each are its distinct values.
std::vector<SweptValues> swept_values(const recipe::Sweep& sweep, const schema::Node& block);

/// Returns the points of `sweep.list` in the recipe's order, for the keys of swept_values().
std::vector<Point> listed_points(const recipe::Sweep& sweep, const std::vector<SweptValues>& keys);

/// Returns the space that the keys span.
Space space_of(const std::vector<SweptValues>& keys);

/// Returns the keys with the values of a point, in order. Each value has the place in the recipe
/// that it comes from.
std::vector<schema::Assignment> assignments_at(const std::vector<SweptValues>& keys,
                                               const Point& point);

}  // namespace knead::sweep
