#include "runner/syntax/levels.h"

#include <algorithm>

#include "runner/syntax/walk.h"

namespace knead::syntax {
namespace {

struct Deepest {
  int levels = 0;

  void operator()(const Expression& child) { levels = std::max(levels, child.levels); }
  void operator()(const Statement&) {}  // expressions contain no statements
};

}  // namespace

// Children are built before their parent and know their own depth. A recursive count would make
// parsing quadratic in the depth.
int levels_below(const Expression& expression) {
  Deepest deepest;
  for_each_child(expression, deepest);
  return deepest.levels;
}

}  // namespace knead::syntax
