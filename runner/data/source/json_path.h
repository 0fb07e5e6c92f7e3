#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace knead::data {

/// Gives access to the members of one JSON object at a time. The objects of a file mostly have the
/// same keys in the same order, so the keys of the last object are remembered: a key at the
/// position it had before costs one comparison and needs no check for duplicates.
///
/// Usage: one JsonMembers per file and thread; for each object call take(), then at() for each key.
/// The values refer to the document of the simdjson parser, so they become invalid when that parser
/// parses the next document.
class JsonMembers {
 public:
  /// Replaces the members by those of an object; a value of another kind has none. Returns a key
  /// that the object has twice, or std::nullopt if all keys are distinct. An object with a
  /// duplicate key is ambiguous, and the caller must refuse it before the next call of take(),
  /// because the remembered keys are then not distinct. Does not look into nested objects.
  std::optional<std::string> take(simdjson::dom::element value) {
    values_.clear();
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) return std::nullopt;
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
      const std::size_t place = values_.size();
      if (place == keys_.size() || !entry.key_equals(keys_[place])) return learn(object);
      values_.push_back(entry.value());
    }
    return std::nullopt;
  }

  /// Finds the value of a key; std::nullopt if the object does not have it. Compares the key at
  /// index `place` first, and searches linearly if that is another one. Stores the index of the key
  /// in `place` if it is found, so that a caller who keeps `place` from object to object mostly
  /// needs one comparison; its first value may be anything, for example 0.
  std::optional<simdjson::dom::element> at(const std::string& key, std::size_t& place) const {
    if (place < values_.size() && keys_[place] == key) return values_[place];
    const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(values_.size());
    const auto found = std::find(keys_.begin(), end, key);
    if (found == end) return std::nullopt;
    place = static_cast<std::size_t>(found - keys_.begin());
    return values_[place];
  }

 private:
  /// Remembers the keys of an object that differ from the ones before, and takes its members.
  /// Returns a duplicate key. Sorts the keys to find it, O(n log n).
  std::optional<std::string> learn(simdjson::dom::object object) {
    keys_.clear();
    values_.clear();
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
      keys_.emplace_back(entry.key());
      values_.push_back(entry.value());
    }
    std::vector<std::string_view> sorted(keys_.begin(), keys_.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    return twice == sorted.end() ? std::nullopt : std::optional<std::string>(*twice);
  }

  std::vector<std::string> keys_;  // distinct; a short object may have only the first ones
  std::vector<simdjson::dom::element> values_;
};

/// Names a member of a JSON object by a key, or by keys of nested objects: "a.b" is the member "b"
/// of the object "a". A key that itself contains a dot is found too if the outermost object has it.
/// Indices of arrays are not part of the syntax.
class JsonPath {
 public:
  /// Splits `text` at its dots. An empty text names the key "", and so does an empty part: "a..b"
  /// has three keys.
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

  /// Returns the path as the recipe writes it, for messages.
  const std::string& text() const { return text_; }

  /// Finds the value; std::nullopt if a key is missing or if a value on the way is not an object.
  /// `object`: the members of the outermost object, whose duplicates take() has found. `place`: see
  /// JsonMembers::at(). Calls `refuse_twice(key)`, which must throw, if an inner object on the way
  /// has the wanted key twice.
  template <class Refuse>
  std::optional<simdjson::dom::element> find(const JsonMembers& object, std::size_t& place,
                                             const Refuse& refuse_twice) const {
    // A key may itself contain a dot, so the whole path is tried as one key first.
    auto found = object.at(text_, place);
    if (found || keys_.size() == 1) return found;
    found = object.at(keys_[0], place);
    for (std::size_t i = 1; found && i < keys_.size(); ++i)
      found = value_of(*found, keys_[i], refuse_twice);
    return found;
  }

 private:
  /// Finds a key in a nested object by looking at all its members, because a duplicate may follow
  /// the first match.
  template <class Refuse>
  static std::optional<simdjson::dom::element> value_of(simdjson::dom::element value,
                                                        const std::string& key,
                                                        const Refuse& refuse_twice) {
    std::optional<simdjson::dom::element> found;
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) return found;
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
      if (!entry.key_equals(key)) continue;
      if (found) refuse_twice(key);
      found = entry.value();
    }
    return found;
  }

  std::string text_;
  std::vector<std::string> keys_;
};

/// Returns the dimensions of nested lists, taken from the first item of each: (2, 3) for [[1, 2,
/// 3], [4, 5, 6]]. Returns an empty list for a value that is not an array, and a last dimension of
/// 0 where an array is empty. Does not check that the other items have the same length.
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
