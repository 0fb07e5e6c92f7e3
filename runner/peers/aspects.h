#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runner/peers/peer.h"

namespace knead::peers {

/// One thing that a recipe says, under the names that trainers have for it. A key of theirs that
/// knead does not know and that has such a name is not passed over for what is usual.
struct Aspect {
  std::string_view path;  // of the recipe's line
  std::string_view what;  // has to be filled in
  std::span<const Part> parts;
  std::string_view names;  // folded, with blanks between them
};

std::span<const Aspect> aspects();

/// The one that a dotted key has a name of: by its last name, or the one before where that is a
/// word like `type`. Null if there is none.
const Aspect* aspect_named(std::string_view path);

/// The one that a part belongs to; null if there is none.
const Aspect* aspect_of(Part part);

}  // namespace knead::peers
