#include "runner/sweep/swept_keys.h"

#include <algorithm>
#include <cmath>

#include "schema/document/scalar.h"
#include "schema/document/yaml_text.h"

namespace knead::sweep {
namespace {

using schema::Entry;
using schema::Node;

/// Returns the range that a block such as {log: [1e-4, 1e-1], points: 4} describes.
Range range_of(const recipe::SweptValues& values) {
  Range range;
  const auto set = [&range](const auto& bounds) {
    range.low = static_cast<double>(bounds.at(0));
    range.high = static_cast<double>(bounds.at(1));
  };
  if (values.range) set(*values.range);
  if (values.log) set(*values.log);
  if (values.integers) set(*values.integers);
  range.is_log = values.log.has_value();
  range.is_integer = values.integers.has_value();
  if (values.points) range.points = static_cast<std::size_t>(*values.points);
  return range;
}

SweptValues values_of(const std::string& key, const recipe::SweptValues& values,
                      const Node& written) {
  if (!values.values) return {key, range_of(values), {}, written.place};
  return {key, Choices{values.values->size()}, *values.values, {}};
}

/// Returns the place of a value among choices; their number if it is none of them.
std::size_t index_of(const std::vector<Node>& choices, const Node& value) {
  const std::string text = schema::flow_as_yaml(value);
  const auto found = std::find_if(choices.begin(), choices.end(), [&](const Node& each) {
    return schema::flow_as_yaml(each) == text;
  });
  return static_cast<std::size_t>(found - choices.begin());
}

std::vector<SweptValues> values_of_list(const std::vector<Node>& list) {
  std::vector<SweptValues> keys;
  for (const Entry& entry : list.at(0).entries) keys.push_back({entry.key, Choices{}, {}, {}});
  for (SweptValues& each : keys) {
    for (const Node& item : list) {
      const Node& value = item.at(each.key);
      if (index_of(each.choices, value) == each.choices.size()) each.choices.push_back(value);
    }
    each.dimension = Choices{each.choices.size()};
  }
  return keys;
}

}  // namespace

std::vector<SweptValues> swept_values(const recipe::Sweep& sweep, const Node& block) {
  if (sweep.list) return values_of_list(*sweep.list);
  std::vector<SweptValues> keys;
  for (const auto& [key, values] : sweep.over.value())
    keys.push_back(values_of(key, values, block.at("over").at(key)));
  return keys;
}

std::vector<Point> listed_points(const recipe::Sweep& sweep, const std::vector<SweptValues>& keys) {
  std::vector<Point> points;
  for (const Node& item : sweep.list.value()) {
    Point& point = points.emplace_back();
    for (const SweptValues& each : keys)
      point.push_back(static_cast<double>(index_of(each.choices, item.at(each.key))));
  }
  return points;
}

Space space_of(const std::vector<SweptValues>& keys) {
  Space space;
  for (const SweptValues& each : keys) space.push_back(each.dimension);
  return space;
}

std::vector<schema::Assignment> assignments_at(const std::vector<SweptValues>& keys,
                                               const Point& point) {
  std::vector<schema::Assignment> assignments;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const SweptValues& each = keys[i];
    if (const auto* range = std::get_if<Range>(&each.dimension)) {
      assignments.push_back(
          {each.key, range->is_integer ? schema::integer_node(std::llround(point.at(i)), each.place)
                                       : schema::number_node(point.at(i), each.place)});
    } else {
      assignments.push_back({each.key, each.choices.at(static_cast<std::size_t>(point.at(i)))});
    }
  }
  return assignments;
}

}  // namespace knead::sweep
