#include "schema/document/open_block.h"

#include <algorithm>

#include <fmt/format.h>

namespace knead::schema {

void OpenBlock::begin_entry(const Node& key_node) {
  key = key_node.text;
  key_place = key_node.place;
  // YAML 1.1's merge key is the plain scalar; "<<" in quotes is an ordinary key.
  key_is_merge_ = key_node.plain && key_node.text == "<<";
}

void OpenBlock::end_entry(Node value, Problems& problems) {
  const std::string name = std::move(*key);
  key.reset();
  const std::size_t index = key_is_merge_ ? kMerge : node.entries.size();
  const auto [first, is_new] = keys_.emplace(name, index);
  if (!is_new) {
    problems.push_back({"duplicate-key", key_place, fmt::format("key '{}' is written twice", name),
                        first->second == kMerge
                            ? "merge several blocks with a list: '<<: [*one, *two]'"
                            : fmt::format("the first is in line {}; remove one of them",
                                          node.entries[first->second].place.line())});
  } else if (key_is_merge_) {
    set_merges(std::move(value), problems);
  } else {
    node.entries.push_back({name, key_place, std::move(value)});
  }
}

void OpenBlock::set_merges(Node value, Problems& problems) {
  if (value.is_list()) {
    merges_ = std::move(value.items);
  } else {
    merges_.push_back(std::move(value));
  }
  const auto wrong =
      std::find_if(merges_.begin(), merges_.end(), [](const Node& map) { return !map.is_map(); });
  if (wrong == merges_.end()) return;
  // The keys that the block would have given are unknown, so none is reported as missing.
  node.is_incomplete = true;
  problems.push_back({"merge-value", wrong->place,
                      fmt::format("'<<' merges blocks of keys, this is {}", kind_in_words(*wrong)),
                      "write '<<: *anchor' with an anchor on a block"});
}

void OpenBlock::merge() {
  for (Node& map : merges_) {
    for (Entry& entry : map.entries) {
      // The map's own keys are already in keys_, and so win over merged ones.
      if (keys_.emplace(entry.key, node.entries.size()).second)
        node.entries.push_back(std::move(entry));
    }
  }
}

}  // namespace knead::schema
