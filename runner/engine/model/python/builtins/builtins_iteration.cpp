#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/operators.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

using Iterators = std::vector<std::shared_ptr<Iterator>>;

/// Returns iterators over the values from `first` on.
Iterators iterate_all(Evaluator& evaluator, const Values& values, std::size_t first) {
  Iterators iterators;
  for (std::size_t i = first; i < values.size(); ++i) {
    iterators.push_back(evaluator.iterate(values[i]));
  }
  return iterators;
}

/// Returns the next item of each iterator; std::nullopt as soon as one has ended.
std::optional<Values> next_of_all(const Iterators& iterators) {
  Values items;
  for (const auto& iterator : iterators) {
    std::optional<Value> item = iterator->next();
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  return items;
}

Value zip(Evaluator& evaluator, const Arguments& arguments) {
  bool strict = false;
  for (const auto& [name, value] : arguments.named) {
    if (name != "strict") {
      throw Mistake(fmt::format("zip() got an unexpected keyword argument '{}'", name));
    }
    strict = evaluator.truth(value);
  }
  // Python finds a difference at the end; here the lengths are compared first, so iterators without
  // a length are refused.
  if (strict) {
    for (const Value& value : arguments.positional) {
      if (evaluator.length(value) != evaluator.length(arguments.positional[0])) {
        throw Mistake("zip(): the arguments are not of one length");
      }
    }
  }
  return make_iterator(
      "zip",
      [iterators = iterate_all(evaluator, arguments.positional, 0)]() -> std::optional<Value> {
        if (iterators.empty()) return std::nullopt;
        std::optional<Values> items = next_of_all(iterators);
        if (!items) return std::nullopt;
        return make_tuple(std::move(*items));
      });
}

Value enumerate(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("enumerate", arguments, {"iterable", "start"}, 1);
  const std::int64_t start = bound.has(1) ? to_integer(bound[1]) : 0;
  return make_iterator(
      "enumerate",
      [iterator = evaluator.iterate(bound[0]), count = start]() mutable -> std::optional<Value> {
        std::optional<Value> item = iterator->next();
        if (!item) return std::nullopt;
        return make_tuple({make_integer(count++), std::move(*item)});
      });
}

Value map(Evaluator& evaluator, const Arguments& arguments) {
  if (arguments.positional.size() < 2) throw Mistake("map() must have at least two arguments.");
  return make_iterator(
      "map",
      [&evaluator, function = arguments.positional[0],
       iterators = iterate_all(evaluator, arguments.positional, 1)]() -> std::optional<Value> {
        std::optional<Values> items = next_of_all(iterators);
        if (!items) return std::nullopt;
        return evaluator.call(function, {.positional = std::move(*items), .named = {}});
      });
}

Value filter(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("filter", arguments, {"function", "iterable"}, 2);
  return make_iterator(
      "filter",
      [&evaluator, function = bound[0],
       iterator = evaluator.iterate(bound[1])]() -> std::optional<Value> {
        while (std::optional<Value> item = iterator->next()) {
          const Value kept = is_none(function) ? *item : evaluator.call(function, {{*item}, {}});
          if (evaluator.truth(kept)) return item;
        }
        return std::nullopt;
      });
}

Value reversed(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("reversed", arguments, {"sequence"}, 1);
  if (as<Iterator>(bound[0]) || as<Set>(bound[0])) {
    throw Mistake(fmt::format("'{}' object is not reversible", type_name(bound[0])));
  }
  return make_iterator("reversed",
                       [items = evaluator.items(bound[0])]() mutable -> std::optional<Value> {
                         if (items.empty()) return std::nullopt;
                         Value last = std::move(items.back());
                         items.pop_back();
                         return last;
                       });
}

Value next(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("next", arguments, {"iterator", "default"}, 1);
  const auto* iterator = as<Iterator>(bound[0]);
  const auto* object = as<Object>(bound[0]);
  if (object && (*object)->type->find("__next__")) {
    std::optional<Value> item = evaluator.call_unless("StopIteration", bound[0], "__next__");
    if (!item && !bound.has(1)) throw Mistake::of("StopIteration", "StopIteration");
    return item ? *item : bound[1];
  }
  if (iterator == nullptr) {
    throw Mistake(fmt::format("'{}' object is not an iterator", type_name(bound[0])));
  }
  std::optional<Value> item = evaluator.iterate(*iterator)->next();
  if (!item && !bound.has(1)) throw Mistake::of("StopIteration", "StopIteration");
  return item ? *item : bound[1];
}

Value iter(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("iter", arguments, {"iterable"}, 1);
  return evaluator.iterate(bound[0]);
}

Value sum(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("sum", arguments, {"iterable", "start"}, 1);
  Value total = bound.has(1) ? bound[1] : make_integer(0);
  if (is_text(total)) throw Mistake("sum() can't sum strings [use ''.join(seq) instead]");
  const auto iterator = evaluator.iterate(bound[0], /*any_order=*/true);
  while (const std::optional<Value> item = iterator->next()) {
    total = evaluator.binary(syntax::BinaryOperator::add, total, *item);
  }
  return total;
}

/// Implements max and min of one iterable or of several arguments. The first of equal items is the
/// result.
Value extreme(Evaluator& evaluator, const Arguments& arguments, bool largest) {
  const std::string name = largest ? "max" : "min";
  Arguments options{.positional = {}, .named = arguments.named};
  const BoundArguments bound(name, options, {"*key", "*default"}, 0);
  if (arguments.positional.empty()) {
    throw Mistake(fmt::format("{} expected at least 1 argument, got 0", name));
  }
  const Values items = arguments.positional.size() == 1
                           ? evaluator.items(arguments.positional[0], true)
                           : arguments.positional;
  if (items.empty()) {
    if (bound.has(1)) return bound[1];
    throw Mistake(fmt::format("{}() iterable argument is empty", name));
  }
  const auto key = [&](const Value& item) {
    return is_none(bound.or_none(0)) ? item : evaluator.call(bound[0], {{item}, {}});
  };
  Value best = items[0];
  Value best_key = key(best);
  for (std::size_t i = 1; i < items.size(); ++i) {
    const Value one = key(items[i]);
    if (largest ? !less(evaluator, best_key, one) : !less(evaluator, one, best_key)) continue;
    best = items[i];
    best_key = one;
  }
  return best;
}

Value max(Evaluator& evaluator, const Arguments& arguments) {
  return extreme(evaluator, arguments, true);
}
Value min(Evaluator& evaluator, const Arguments& arguments) {
  return extreme(evaluator, arguments, false);
}

Value sorted(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("sorted", arguments, {"iterable", "*key", "*reverse"}, 1);
  return make_list(sorted_items(evaluator, evaluator.items(bound[0], true), bound.or_none(1),
                                bound.flag(2, false)));
}

Value any(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("any", arguments, {"iterable"}, 1);
  const auto iterator = evaluator.iterate(bound[0], /*any_order=*/true);
  while (const std::optional<Value> item = iterator->next()) {
    if (evaluator.truth(*item)) return true;
  }
  return false;
}

Value all(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("all", arguments, {"iterable"}, 1);
  const auto iterator = evaluator.iterate(bound[0], /*any_order=*/true);
  while (const std::optional<Value> item = iterator->next()) {
    if (!evaluator.truth(*item)) return false;
  }
  return true;
}

/// Sorts and keeps the order of equal items. A method __lt__ may answer anything:
/// std::stable_sort() would leave the vector then.
template <class Items, class Before>
void merge_sort(Items& items, const Before& before) {
  Items merged(items.size());
  for (std::size_t width = 1; width < items.size(); width *= 2) {
    for (std::size_t begin = 0; begin < items.size(); begin += 2 * width) {
      const auto at = [&](std::size_t place) {
        return std::make_move_iterator(items.begin() +
                                       static_cast<std::ptrdiff_t>(std::min(place, items.size())));
      };
      std::merge(at(begin), at(begin + width), at(begin + width), at(begin + 2 * width),
                 merged.begin() + static_cast<std::ptrdiff_t>(begin), before);
    }
    items.swap(merged);
  }
}

}  // namespace

Values sorted_items(Evaluator& evaluator, Values items, const Value& key, bool reverse) {
  // Each key is computed only once, as in Python.
  std::vector<std::pair<Value, Value>> keyed;
  for (Value& item : items) {
    Value by = is_none(key) ? item : evaluator.call(key, {{item}, {}});
    keyed.emplace_back(std::move(by), std::move(item));
  }
  const auto before = [&](const auto& a, const auto& b) {
    evaluator.spend(1);
    return reverse ? less(evaluator, b.first, a.first) : less(evaluator, a.first, b.first);
  };
  merge_sort(keyed, before);
  items.clear();
  for (auto& pair : keyed) items.push_back(std::move(pair.second));
  return items;
}

void add_iteration(Evaluator& evaluator) {
  const std::pair<const char*, Method> functions[] = {{"zip", zip},
                                                      {"enumerate", enumerate},
                                                      {"map", map},
                                                      {"filter", filter},
                                                      {"reversed", reversed},
                                                      {"next", next},
                                                      {"iter", iter},
                                                      {"sum", sum},
                                                      {"max", max},
                                                      {"min", min},
                                                      {"sorted", sorted},
                                                      {"any", any},
                                                      {"all", all}};
  for (const auto& [name, function] : functions) add_function(evaluator, name, function);
}

}  // namespace knead::engine::model
