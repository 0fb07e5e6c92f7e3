#include "runner/engine/model/einops/shape_pattern.h"

#include <fmt/format.h>

#include "runner/engine/model/einops/pattern.h"
#include "runner/engine/model/values/mistake.h"

namespace knead::engine::model::einops {

ShapePattern parse_shape_pattern(const std::string& pattern) {
  const Expression side = parse_expression(pattern, {.underscore = true});
  ShapePattern result;
  result.has_ellipsis = side.has_ellipsis;
  result.dimensions = side.groups.size() - (side.has_ellipsis ? 1 : 0);
  bool is_behind = false;
  for (std::size_t i = 0; i < side.groups.size(); ++i) {
    const Group& group = side.groups[i];
    if (group.size() > 1 || side.has_ellipsis_in_parentheses) {
      throw Mistake::of("RuntimeError",
                        fmt::format("Can't parse shape with composite axes: {}", pattern));
    }
    if (!group.empty() && group.front().is_ellipsis()) {
      is_behind = true;
      continue;
    }
    const auto all = static_cast<std::int64_t>(side.groups.size());
    const auto place = static_cast<std::int64_t>(i) - (is_behind ? all : 0);
    if (group.empty()) {
      result.axes.push_back({"", 1, place});
    } else if (group.front().name != "_") {
      result.axes.push_back({group.front().name, group.front().number, place});
    }
  }
  return result;
}

}  // namespace knead::engine::model::einops
