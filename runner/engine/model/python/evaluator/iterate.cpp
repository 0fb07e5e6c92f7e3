#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/values/nesting.h"
#include "runner/engine/model/values/stack.h"
#include "runner/engine/model/values/work.h"
#include "schema/document/source.h"

namespace knead::engine::model {

namespace {

using Next = std::function<std::optional<Value>()>;

/// Iterates by index and reads the size at each step, so that items added during the iteration are
/// visited.
template <typename Owner, typename At>
Next by_place(std::shared_ptr<Owner> owner, At at) {
  return [owner, at, place = std::size_t{0}]() mutable { return at(*owner, place++); };
}

template <typename Owner>
Next items_of(std::shared_ptr<Owner> owner) {
  return by_place(std::move(owner), [](const Owner& from, std::size_t place) {
    return place < from.items.size() ? std::optional<Value>(from.items[place]) : std::nullopt;
  });
}

Next keys_of(std::shared_ptr<Dict> dict) {
  return by_place(std::move(dict), [](const Dict& from, std::size_t place) {
    return place < from.items.size() ? std::optional<Value>(from.items[place].first) : std::nullopt;
  });
}

Next numbers_of(const Range& range) {
  return [range, left = length(range), next = range.begin]() mutable -> std::optional<Value> {
    if (left-- <= 0) return std::nullopt;
    const std::int64_t number = next;
    // The last step is not taken, because it could overflow.
    next += left > 0 ? range.step : 0;
    return number;
  };
}

/// Returns the length of a UTF-8 character by its first byte.
std::size_t character_length(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

Next characters_of(const std::string& text) {
  return [text, place = std::size_t{0}]() mutable -> std::optional<Value> {
    if (place >= text.size()) return std::nullopt;
    const std::size_t size = character_length(static_cast<unsigned char>(text[place]));
    place += size;
    return text.substr(place - size, size);
  };
}

}  // namespace

std::shared_ptr<Iterator> Evaluator::iterate(const Value& value, bool any_order) {
  Next next;
  if (const auto* iterator = as<Iterator>(value)) {
    next = [inner = *iterator] { return inner->next(); };
  } else if (const auto* list = as<List>(value)) {
    next = items_of(*list);
  } else if (const auto* tuple = as<Tuple>(value)) {
    next = items_of(*tuple);
  } else if (const auto* set = as<Set>(value)) {
    if (!any_order && !(*set)->is_view && (*set)->items.size() > 1) {
      throw Mistake("the items of a set have no order", "write sorted(…), or make it a list");
    }
    next = items_of(*set);
  } else if (const auto* dict = as<Dict>(value)) {
    next = keys_of(*dict);
  } else if (const auto* range = as<Range>(value)) {
    next = numbers_of(**range);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    next = characters_of(*text);
  } else if (const auto* tensor = std::get_if<at::Tensor>(&value)) {
    next = items_of(std::get<std::shared_ptr<Tuple>>(call_operator("unbind", {{*tensor}, {}})));
  } else if (auto made = call_method(value, "__iter__")) {
    const auto* object = as<Object>(*made);
    if (!object || !(*object)->type->find("__next__")) return iterate(*made);
    next = [this, it = *made] { return call_unless("StopIteration", it, "__next__"); };
  } else {
    throw Mistake::of("TypeError", fmt::format("'{}' object is not iterable", type_name(value)));
  }
  // Each step counts, so a loop over an endless iterator ends at the limit.
  auto counted = [this, next = std::move(next)] {
    expect_stack();  // an iterator may read another one, and that a third
    spend(1);
    return next();
  };
  return std::make_shared<Iterator>(Iterator{.type = "iterator", .next = std::move(counted)});
}

Values Evaluator::items(const Value& value, bool any_order) {
  Values all;
  const auto iterator = iterate(value, any_order);
  while (std::optional<Value> item = iterator->next()) {
    spend_item(*item);
    all.push_back(std::move(*item));
  }
  return all;
}

bool Evaluator::truth(const Value& value) {
  if (is_none(value)) return false;
  if (is_number(value)) return float_of(value) != 0;
  if (const auto* text = std::get_if<std::string>(&value)) return !text->empty();
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) return tensor->is_nonzero();
  if (const Values* items = sequence(value)) return !items->empty();
  if (const auto* dict = as<Dict>(value)) return !(*dict)->items.empty();
  if (const auto* set = as<Set>(value)) return !(*set)->items.empty();
  if (const auto* range = as<Range>(value)) return model::length(**range) > 0;
  if (!as<Object>(value) && !as<Array>(value)) return true;
  if (auto flag = call_method(value, "__bool__")) return truth(*flag);
  if (auto size = call_method(value, "__len__")) return truth(*size);
  return true;
}

std::size_t Evaluator::length(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    spend(text_steps(value));
    return static_cast<std::size_t>(schema::code_points(*text));
  }
  if (const Values* items = sequence(value)) return items->size();
  if (const auto* dict = as<Dict>(value)) return (*dict)->items.size();
  if (const auto* set = as<Set>(value)) return (*set)->items.size();
  if (const auto* range = as<Range>(value)) {
    return static_cast<std::size_t>(model::length(**range));
  }
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) {
    if (tensor->dim() == 0) throw Mistake("len() of a 0-d tensor");
    return static_cast<std::size_t>(tensor->size(0));
  }
  if (auto size = call_method(value, "__len__")) return static_cast<std::size_t>(to_integer(*size));
  throw Mistake::of("TypeError", fmt::format("object of type '{}' has no len()", type_name(value)));
}

bool Evaluator::contains(const Value& container, const Value& item) {
  if (const auto* text = std::get_if<std::string>(&container)) {
    if (!is_text(item)) {
      throw Mistake(
          fmt::format("'in <string>' requires string as left operand, not {}", type_name(item)));
    }
    spend(text_steps(container));
    return find_text(*text, std::get<std::string>(item)) != std::string::npos;
  }
  if (const auto* dict = as<Dict>(container)) return find_key(**dict, item) != nullptr;
  if (auto result = call_method(container, "__contains__", {item})) return truth(*result);
  if (sequence(container)) {
    const Value held = container;
    const Values* items = sequence(held);
    // A method __eq__ may change the list.
    for (std::size_t i = 0; i < items->size(); ++i) {
      if (equal((*items)[i], item)) return true;
    }
    return false;
  }
  const auto iterator = iterate(container, /*any_order=*/true);
  while (const std::optional<Value> one = iterator->next()) {
    if (equal(*one, item)) return true;
  }
  return false;
}

// --- keys

namespace {

/// Throws Mistake for a mutable key, which Python cannot hash.
void must_have_hash(const Value& key) {
  const bool changes =
      (as<List>(key) && !passes_for_tuple(key)) || as<Dict>(key) || as<Set>(key) || as<Array>(key);
  if (changes) throw Mistake::of("TypeError", fmt::format("unhashable type: '{}'", type_name(key)));
  if (const Values* items = sequence(key)) {
    count_parts(8 * std::ssize(*items));
    for (const Value& item : *items) must_have_hash(item);
  }
}

void expect_key(const Value& key) {
  if (sequence(key) && !is_small(key)) throw Mistake("this tuple is too large for a key");
  must_have_hash(key);
}

/// Compares two keys. A tensor is a key by identity, because == of tensors gives a tensor.
bool is_same_key(Evaluator& evaluator, const Value& there, const Value& key) {
  if (!is_tensor(key) && !is_tensor(there)) return evaluator.equal(there, key);
  count_parts(2);
  return same(there, key);
}

}  // namespace

Value* Evaluator::find_key(Dict& dict, const Value& key) {
  expect_key(key);
  spend(0);
  // A method __eq__ may change the dict.
  for (std::size_t i = 0; i < dict.items.size(); ++i) {
    if (is_same_key(*this, dict.items[i].first, key)) {
      return i < dict.items.size() ? &dict.items[i].second : nullptr;
    }
  }
  return nullptr;
}

void Evaluator::set_key(Dict& dict, const Value& key, Value value) {
  if (Value* there = find_key(dict, key)) {
    *there = std::move(value);
    return;
  }
  spend_item(key);
  spend(text_steps(value));
  dict.items.emplace_back(key, std::move(value));
}

bool Evaluator::add_to(Set& set, const Value& item) {
  expect_key(item);
  spend(0);
  for (std::size_t i = 0; i < set.items.size(); ++i) {
    if (is_same_key(*this, set.items[i], item)) return false;
  }
  spend_item(item);
  set.items.push_back(item);
  return true;
}

}  // namespace knead::engine::model
