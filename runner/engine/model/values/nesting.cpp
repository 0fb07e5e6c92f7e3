#include "runner/engine/model/values/nesting.h"

#include <unordered_map>

#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

constexpr int kMostLevels = 64;
constexpr std::int64_t kMostItems = 10'000'000;

/// Measures a value; a container that is met again is not visited again.
class Measure {
 public:
  /// Returns the number of items; more than kMostItems if the value is too large or too deep.
  std::int64_t items_of(const Value& value, int level) {
    if (const auto* list = as<List>(value)) return items_of(list->get(), (*list)->items, level);
    if (const auto* tuple = as<Tuple>(value)) return items_of(tuple->get(), (*tuple)->items, level);
    if (const auto* set = as<Set>(value)) return items_of(set->get(), (*set)->items, level);
    if (const auto* dict = as<Dict>(value)) return items_of(dict->get(), (*dict)->items, level);
    if (const auto* slice = as<Slice>(value)) {
      return items_of(slice->get(), Values{(*slice)->begin, (*slice)->end, (*slice)->step}, level);
    }
    return 1;
  }

 private:
  struct Known {
    std::int64_t items = kMostItems + 1;  // also while it is measured, so a cycle is too large
    int level = 0;
  };

  template <class Parts>
  std::int64_t items_of(const void* container, const Parts& parts, int level) {
    if (level >= kMostLevels) return kMostItems + 1;
    const auto [found, is_new] = known_.try_emplace(container, Known{.level = level});
    // Deeper than before: what is in it may be too deep now.
    if (!is_new && found->second.level >= level) return found->second.items;
    found->second = Known{.level = level};
    std::int64_t total = 1;
    for (const auto& part : parts) {
      total += items_of(part, level + 1);
      if (total > kMostItems) return kMostItems + 1;
    }
    known_[container].items = total;
    return total;
  }

  std::int64_t items_of(const std::pair<Value, Value>& item, int level) {
    return items_of(item.first, level) + items_of(item.second, level);
  }

  std::unordered_map<const void*, Known> known_;
};

}  // namespace

void expect_part(std::size_t parts, std::string_view name) {
  if (parts >= 20'000) throw Mistake("a module has at most 20,000 parts of a kind");
  if (name.size() > 1000) throw Mistake("the name of a part of a module has at most 1000 bytes");
}

bool is_small(const Value& value) { return Measure().items_of(value, 0) <= kMostItems; }

}  // namespace knead::engine::model
