#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {

namespace {

Values sliced(Evaluator& evaluator, const Values& items, const Slice& slice) {
  Values result;
  const Range places = taken(slice, items.size());
  std::int64_t place = places.begin;
  for (std::int64_t i = 0; i < length(places); ++i, place += places.step) {
    result.push_back(items[static_cast<std::size_t>(place)]);
    evaluator.spend_item(result.back());
  }
  return result;
}

Value item_of_items(Evaluator& evaluator, const Value& of, const Values& items,
                    const Value& index) {
  if (const auto* slice = as<Slice>(index)) {
    Values result = sliced(evaluator, items, **slice);
    return as<List>(of) ? make_list(std::move(result)) : make_tuple(std::move(result));
  }
  if (!is_integer(index)) {
    throw Mistake(fmt::format("{} indices must be integers or slices, not {}", type_name(of),
                              type_name(index)));
  }
  return items[position(integer_of(index), items.size(), type_name(of))];
}

Value item_of_text(Evaluator& evaluator, const std::string& text, const Value& index) {
  const Values characters = evaluator.items(text);
  if (const auto* slice = as<Slice>(index)) {
    std::string result;
    for (const Value& one : sliced(evaluator, characters, **slice))
      result += std::get<std::string>(one);
    return result;
  }
  if (!is_integer(index)) {
    throw Mistake(fmt::format("string indices must be integers, not '{}'", type_name(index)));
  }
  return characters[position(integer_of(index), characters.size(), "string")];
}

Value item_of_range(const Range& range, const Value& index) {
  const auto size = static_cast<std::size_t>(length(range));
  const auto at = [&](std::int64_t place) { return range.begin + place * range.step; };
  if (const auto* slice = as<Slice>(index)) {
    const Range places = taken(**slice, size);
    return std::make_shared<Range>(
        Range{.begin = at(places.begin), .end = at(places.end), .step = range.step * places.step});
  }
  const std::size_t place = position(to_integer(index), size, "range object");
  return at(static_cast<std::int64_t>(place));
}

/// Assigns to a slice of a list; only a slice with step 1 may change the length.
void set_slice(Evaluator& evaluator, Values& items, const Slice& slice, const Value& value) {
  Values fresh = evaluator.items(value);
  const Range places = taken(slice, items.size());
  evaluator.spend(static_cast<std::int64_t>(items.size() / 8));
  if (places.step == 1) {
    const auto begin = items.begin() + places.begin;
    // items[3:1] = … inserts at 3, as in Python, so the end is never before the begin.
    const auto after = items.begin() + std::max(places.begin, places.end);
    items.insert(items.erase(begin, after), fresh.begin(), fresh.end());
    return;
  }
  if (static_cast<std::int64_t>(fresh.size()) != length(places)) {
    throw Mistake(fmt::format("attempt to assign sequence of size {} to extended slice of size {}",
                              fresh.size(), length(places)));
  }
  std::int64_t place = places.begin;
  for (Value& item : fresh) {
    items[static_cast<std::size_t>(place)] = std::move(item);
    place += places.step;
  }
}

}  // namespace

Value Evaluator::item(const Value& of, const Value& index) {
  if (const Values* items = sequence(of)) return item_of_items(*this, of, *items, index);
  if (const auto* text = std::get_if<std::string>(&of)) return item_of_text(*this, *text, index);
  if (const auto* range = as<Range>(of)) return item_of_range(**range, index);
  if (const auto* tensor = std::get_if<at::Tensor>(&of)) return tensor_item(*tensor, index);
  if (const auto* dict = as<Dict>(of)) {
    if (const Value* value = find_key(**dict, index)) return *value;
    if (!is_none((*dict)->factory)) {
      const Value made = call((*dict)->factory, {});
      set_key(**dict, index, made);
      return made;
    }
    std::vector<std::string_view> keys;
    for (const auto& item : (*dict)->items) {
      if (const auto* key = std::get_if<std::string>(&item.first)) keys.push_back(*key);
    }
    const auto* wanted = std::get_if<std::string>(&index);
    throw Mistake::of("KeyError", "KeyError: " + repr(index),
                      wanted ? schema::did_you_mean(*wanted, keys) : "");
  }
  if (auto result = call_method(of, "__getitem__", {index})) return *result;
  // A generic annotation that is assigned to a name stands for its class: list[int],
  // Optional[Tensor].
  if (as<Class>(of)) return of;
  if (const auto* generic = as<Builtin>(of)) {
    auto made = std::make_shared<Builtin>(**generic);
    const Values* several = as<Tuple>(index) ? sequence(index) : nullptr;
    made->parameters = std::make_shared<Tuple>(Tuple{several ? *several : Values{index}});
    return made;
  }
  throw Mistake::of("TypeError", fmt::format("'{}' object is not subscriptable", type_name(of)));
}

void Evaluator::set_item(const Value& of, const Value& index, Value value) {
  if (const auto* list = as<List>(of)) {
    Values& items = (*list)->items;
    if (const auto* slice = as<Slice>(index)) return set_slice(*this, items, **slice, value);
    items[position(to_integer(index), items.size(), "list assignment")] = std::move(value);
  } else if (const auto* dict = as<Dict>(of)) {
    set_key(**dict, index, std::move(value));
  } else if (const auto* tensor = std::get_if<at::Tensor>(&of)) {
    set_tensor_item(*tensor, index, value);
  } else if (!call_method(of, "__setitem__", {index, std::move(value)})) {
    throw Mistake(fmt::format("'{}' object does not support item assignment", type_name(of)));
  }
}

void Evaluator::delete_item(const Value& of, const Value& index) {
  if (const auto* list = as<List>(of)) {
    Values& items = (*list)->items;
    if (const auto* slice = as<Slice>(index)) {
      const Range places = taken(**slice, items.size());
      spend(static_cast<std::int64_t>(items.size() / 8));
      if (places.step != 1) throw Mistake("only slices without a step can be deleted");
      items.erase(items.begin() + places.begin, items.begin() + std::max(places.begin, places.end));
      return;
    }
    const std::size_t place = position(to_integer(index), items.size(), "list assignment");
    spend(static_cast<std::int64_t>(items.size() / 8));
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
  } else if (const auto* dict = as<Dict>(of)) {
    const Value* found = find_key(**dict, index);
    if (found == nullptr) throw Mistake::of("KeyError", "KeyError: " + repr(index));
    auto& items = (*dict)->items;
    spend(static_cast<std::int64_t>(items.size() / 8));
    items.erase(std::find_if(items.begin(), items.end(),
                             [&](const auto& item) { return &item.second == found; }));
  } else if (!call_method(of, "__delitem__", {index})) {
    throw Mistake(fmt::format("'{}' object doesn't support item deletion", type_name(of)));
  }
}

}  // namespace knead::engine::model
