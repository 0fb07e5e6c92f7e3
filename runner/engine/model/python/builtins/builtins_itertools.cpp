#include <algorithm>
#include <limits>

#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

/// Returns an iterator over the items of the values of an iterator, one after the other.
Value chained(Evaluator& evaluator, const std::shared_ptr<Iterator>& parts) {
  return make_iterator(
      "chain",
      [&evaluator, parts, open = std::shared_ptr<Iterator>()]() mutable -> std::optional<Value> {
        while (true) {
          if (open != nullptr) {
            if (std::optional<Value> item = open->next()) return item;
          }
          const std::optional<Value> part = parts->next();
          if (!part) return std::nullopt;
          open = evaluator.iterate(*part);
        }
      });
}

Value chain(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  return chained(evaluator, evaluator.iterate(make_list(arguments.positional)));
}

Value chain_of(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("from_iterable", arguments, {"iterable"}, 1);
  return chained(evaluator, evaluator.iterate(bound[0]));
}

Value repeat(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("repeat", arguments, {"object", "times"}, 1);
  const bool ends = bound.has(1);
  return make_iterator("repeat",
                       [item = bound[0], ends,
                        left = ends ? to_integer(bound[1]) : 1]() mutable -> std::optional<Value> {
                         if (ends && left-- <= 0) return std::nullopt;
                         return item;
                       });
}

/// Implements itertools.count(), which does not end by itself.
Value count(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("count", arguments, {"start", "step"}, 0);
  const Value step = bound.has(1) ? bound[1] : make_integer(1);
  return make_iterator(
      "count",
      [&evaluator, step,
       next = bound.has(0) ? bound[0] : make_integer(0)]() mutable -> std::optional<Value> {
        const Value number = next;
        next = evaluator.binary(syntax::BinaryOperator::add, next, step);
        return number;
      });
}

Value cycle(Evaluator& evaluator, const Arguments& arguments) {
  const auto iterator = evaluator.iterate(BoundArguments("cycle", arguments, {"iterable"}, 1)[0]);
  return make_iterator(
      "cycle",
      [iterator, seen = Values(), place = std::size_t{0},
       is_over = false]() mutable -> std::optional<Value> {
        if (std::optional<Value> item = is_over ? std::nullopt : iterator->next()) {
          seen.push_back(*item);
          return item;
        }
        is_over = true;
        if (seen.empty()) return std::nullopt;
        return seen[place++ % seen.size()];
      });
}

Value islice(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("islice", arguments, {"iterable", "start", "stop", "step"}, 2);
  const bool has_start = bound.has(2);
  const std::int64_t begin = has_start && !is_none(bound[1]) ? to_integer(bound[1]) : 0;
  const Value& end = has_start ? bound[2] : bound[1];
  const std::int64_t stop =
      is_none(end) ? std::numeric_limits<std::int64_t>::max() : to_integer(end);
  const std::int64_t step = is_none(bound.or_none(3)) ? 1 : to_integer(bound[3]);
  if (begin < 0 || stop < 0 || step < 1) {
    throw Mistake::of("ValueError", "islice() takes whole numbers that are not negative");
  }
  return make_iterator("islice",
                       [iterator = evaluator.iterate(bound[0]), place = std::int64_t{0},
                        next = begin, stop, step]() mutable -> std::optional<Value> {
                         while (place < stop) {
                           if (next >= stop) return std::nullopt;
                           std::optional<Value> item = iterator->next();
                           if (!item) return std::nullopt;
                           if (place++ != next) continue;
                           next = stop - next > step ? next + step : stop;
                           return item;
                         }
                         return std::nullopt;
                       });
}

Value accumulate(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("accumulate", arguments, {"iterable", "func", "*initial"}, 1);
  const Value function = bound.or_none(1);
  std::optional<Value> first;
  if (!is_none(bound.or_none(2))) first = bound[2];
  return make_iterator("accumulate",
                       [&evaluator, function, first, iterator = evaluator.iterate(bound[0]),
                        total = std::optional<Value>()]() mutable -> std::optional<Value> {
                         if (!total && first) return total = first;
                         const std::optional<Value> item = iterator->next();
                         if (!item) return std::nullopt;
                         if (!total) return total = item;
                         total = is_none(function)
                                     ? evaluator.binary(syntax::BinaryOperator::add, *total, *item)
                                     : evaluator.call(function, {{*total, *item}, {}});
                         return total;
                       });
}

Value pairwise(Evaluator& evaluator, const Arguments& arguments) {
  const auto iterator =
      evaluator.iterate(BoundArguments("pairwise", arguments, {"iterable"}, 1)[0]);
  return make_iterator("pairwise",
                       [iterator, before = iterator->next()]() mutable -> std::optional<Value> {
                         std::optional<Value> after = before ? iterator->next() : std::nullopt;
                         if (!after) return std::nullopt;
                         const Value pair = make_tuple({*before, *after});
                         before = after;
                         return pair;
                       });
}

Value product(Evaluator& evaluator, const Arguments& arguments) {
  std::vector<Values> tuples{{}};
  for (const Value& part : arguments.positional) {
    std::vector<Values> longer;
    const Values items = evaluator.items(part);
    for (const Values& begun : tuples) {
      for (const Value& item : items) {
        evaluator.spend_items(static_cast<std::int64_t>(begun.size()) + 1);
        longer.push_back(begun);
        longer.back().push_back(item);
      }
    }
    tuples = std::move(longer);
  }
  Values all;
  for (Values& items : tuples) all.push_back(make_tuple(std::move(items)));
  return evaluator.iterate(make_list(std::move(all)));
}

/// Returns the tuples of `size` items at places that `fits` allows, in the order of the places.
Value chosen(Evaluator& evaluator, const Arguments& arguments, const std::string& name,
             bool (*fits)(const std::vector<std::size_t>& places, std::size_t next)) {
  const BoundArguments bound(name, arguments, {"iterable", "r"}, 1);
  const Values items = evaluator.items(bound[0]);
  const bool is_whole = is_none(bound.or_none(1));
  if (!is_whole && to_integer(bound[1]) < 0) {
    throw Mistake::of("ValueError", "r must be non-negative");
  }
  const auto size = is_whole ? items.size() : static_cast<std::size_t>(to_integer(bound[1]));
  std::vector<std::vector<std::size_t>> all{{}};
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<std::vector<std::size_t>> longer;
    evaluator.spend(1);
    for (const auto& places : all) {
      for (std::size_t next = 0; next < items.size(); ++next) {
        if (!fits(places, next)) continue;
        evaluator.spend_items(static_cast<std::int64_t>(places.size()) + 1);
        longer.push_back(places);
        longer.back().push_back(next);
      }
    }
    all = std::move(longer);
  }
  Values tuples;
  for (const auto& places : all) {
    Values tuple;
    for (const std::size_t place : places) tuple.push_back(items[place]);
    tuples.push_back(make_tuple(std::move(tuple)));
  }
  return evaluator.iterate(make_list(std::move(tuples)));
}

Value combinations(Evaluator& evaluator, const Arguments& arguments) {
  return chosen(evaluator, arguments, "combinations", [](const auto& places, std::size_t next) {
    return places.empty() || places.back() < next;
  });
}

Value permutations(Evaluator& evaluator, const Arguments& arguments) {
  return chosen(evaluator, arguments, "permutations", [](const auto& places, std::size_t next) {
    return std::find(places.begin(), places.end(), next) == places.end();
  });
}

}  // namespace

void add_itertools(Evaluator& evaluator) {
  const auto itertools = make_namespace("itertools");
  const std::pair<const char*, Method> functions[] = {{"repeat", repeat},
                                                      {"count", count},
                                                      {"cycle", cycle},
                                                      {"islice", islice},
                                                      {"accumulate", accumulate},
                                                      {"pairwise", pairwise},
                                                      {"product", product},
                                                      {"combinations", combinations},
                                                      {"permutations", permutations}};
  for (const auto& [name, function] : functions) add_function(*itertools, name, function);
  const auto chain_type = make_type("chain", chain);
  chain_type->members.emplace_back("from_iterable",
                                   make_builtin("itertools.chain.from_iterable", chain_of));
  itertools->names->set("chain", chain_type);
  evaluator.add_module("itertools", itertools);
}

}  // namespace knead::engine::model
