#pragma once

#include <optional>
#include <string>
#include <vector>

#include <simdjson.h>

namespace knead::data {

/// A key of a JSON object, or keys of objects within objects: "a.b".
class JsonPath {
 public:
  explicit JsonPath(std::string text) : text_(std::move(text)) {
    keys_.emplace_back();
    for (const char c : text_) {
      if (c == '.') {
        keys_.emplace_back();
      } else {
        keys_.back() += c;
      }
    }
  }

  const std::string& text() const { return text_; }

  std::optional<simdjson::dom::element> find(simdjson::dom::element object) const {
    // A key may itself have a dot in it: the whole is looked for first.
    simdjson::dom::element found;
    if (object.at_key(text_).get(found) == simdjson::SUCCESS) return found;
    found = object;
    for (const std::string& key : keys_) {
      if (found.at_key(key).get(found) != simdjson::SUCCESS) return std::nullopt;
    }
    return found;
  }

 private:
  std::string text_;
  std::vector<std::string> keys_;
};

/// The dimensions that lists within lists have, each as long as its first item says.
inline std::vector<std::int64_t> json_shape(simdjson::dom::element value) {
  std::vector<std::int64_t> shape;
  simdjson::dom::array array;
  while (value.get(array) == simdjson::SUCCESS) {
    shape.push_back(static_cast<std::int64_t>(array.size()));
    if (array.size() == 0) break;
    value = *array.begin();
  }
  return shape;
}

}  // namespace knead::data
