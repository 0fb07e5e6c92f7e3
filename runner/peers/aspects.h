#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runner/peers/peer.h"

namespace knead::peers {

/// One line of a recipe and the names that trainers use for it. If a file has an unknown key with
/// such a name, the trainer's default for that line is not assumed.
struct Aspect {
  std::string_view path;        // of the recipe's line: "optimizer.lr"
  std::string_view what;        // for a comment: the value to fill in
  std::span<const Part> parts;  // the parts that the line is translated from
  std::string_view names;       // folded, separated by blanks
};

/// Returns all aspects.
std::span<const Aspect> aspects();

/// Returns the aspect that the last name of a dotted key stands for, or the name before it if the
/// last one is a word like `type`. Returns null if there is none.
const Aspect* aspect_named(std::string_view path);

/// Returns the first aspect that a part belongs to, or null.
const Aspect* aspect_of(Part part);

}  // namespace knead::peers
