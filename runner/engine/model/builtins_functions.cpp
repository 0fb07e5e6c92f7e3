#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "runner/engine/model/builtins.h"
#include "runner/engine/model/given.h"
#include "runner/engine/model/operators.h"
#include "runner/engine/model/tensors.h"

namespace knead::engine::model {

namespace {

using Iterators = std::vector<std::shared_ptr<Iterator>>;

Value length_of(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("len", arguments, {"obj"}, 1);
  return static_cast<std::int64_t>(evaluator.length(given[0]));
}

Iterators iterate_all(Evaluator& evaluator, const Values& values, std::size_t first) {
  Iterators iterators;
  for (std::size_t i = first; i < values.size(); ++i) {
    iterators.push_back(evaluator.iterate(values[i]));
  }
  return iterators;
}

/// One item of each; nothing as soon as one has no more.
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
  const Given given("enumerate", arguments, {"iterable", "start"}, 1);
  const std::int64_t start = given.has(1) ? to_integer(given[1]) : 0;
  return make_iterator(
      "enumerate",
      [iterator = evaluator.iterate(given[0]), count = start]() mutable -> std::optional<Value> {
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
  const Given given("filter", arguments, {"function", "iterable"}, 2);
  return make_iterator(
      "filter",
      [&evaluator, function = given[0],
       iterator = evaluator.iterate(given[1])]() -> std::optional<Value> {
        while (std::optional<Value> item = iterator->next()) {
          const Value kept = is_none(function) ? *item : evaluator.call(function, {{*item}, {}});
          if (evaluator.truth(kept)) return item;
        }
        return std::nullopt;
      });
}

Value reversed(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("reversed", arguments, {"sequence"}, 1);
  if (as<Iterator>(given[0]) || as<Set>(given[0])) {
    throw Mistake(fmt::format("'{}' object is not reversible", type_name(given[0])));
  }
  return make_iterator("reversed",
                       [items = evaluator.items(given[0])]() mutable -> std::optional<Value> {
                         if (items.empty()) return std::nullopt;
                         Value last = std::move(items.back());
                         items.pop_back();
                         return last;
                       });
}

Value next(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("next", arguments, {"iterator", "default"}, 1);
  const auto* iterator = as<Iterator>(given[0]);
  if (iterator == nullptr) {
    throw Mistake(fmt::format("'{}' object is not an iterator", type_name(given[0])));
  }
  std::optional<Value> item = evaluator.iterate(*iterator)->next();
  if (!item && !given.has(1)) throw Mistake("StopIteration");
  return item ? *item : given[1];
}

Value iter(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("iter", arguments, {"iterable"}, 1);
  return evaluator.iterate(given[0]);
}

Value sum(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("sum", arguments, {"iterable", "start"}, 1);
  Value total = given.has(1) ? given[1] : make_integer(0);
  if (is_text(total)) throw Mistake("sum() can't sum strings [use ''.join(seq) instead]");
  const auto iterator = evaluator.iterate(given[0]);
  while (const std::optional<Value> item = iterator->next()) {
    total = evaluator.binary(syntax::BinaryOperator::add, total, *item);
  }
  return total;
}

/// max and min: of one iterable, or of several arguments.
Value extreme(Evaluator& evaluator, const Arguments& arguments, bool largest) {
  const std::string name = largest ? "max" : "min";
  Arguments options{.positional = {}, .named = arguments.named};
  const Given given(name, options, {"*key", "*default"}, 0);
  if (arguments.positional.empty()) {
    throw Mistake(fmt::format("{} expected at least 1 argument, got 0", name));
  }
  const Values items = arguments.positional.size() == 1 ? evaluator.items(arguments.positional[0])
                                                        : arguments.positional;
  if (items.empty()) {
    if (given.has(1)) return given[1];
    throw Mistake(fmt::format("{}() iterable argument is empty", name));
  }
  const auto key = [&](const Value& item) {
    return is_none(given.or_none(0)) ? item : evaluator.call(given[0], {{item}, {}});
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

Value absolute(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("abs", arguments, {"x"}, 1);
  if (is_tensor(given[0])) return evaluator.call(evaluator.attribute(given[0], "abs"), {});
  if (is_integer(given[0])) {
    const std::int64_t number = integer_of(given[0]);
    return number < 0 ? number_operation(syntax::BinaryOperator::subtract, make_integer(0), number)
                      : number;
  }
  if (!is_number(given[0])) {
    throw Mistake(fmt::format("bad operand type for abs(): '{}'", type_name(given[0])));
  }
  return std::abs(float_of(given[0]));
}

/// Half goes to the even neighbour; with digits, of the exact decimal value, as printf rounds.
Value round(Evaluator&, const Arguments& arguments) {
  const Given given("round", arguments, {"number", "ndigits"}, 1);
  if (!is_number(given[0])) {
    throw Mistake(fmt::format("type {} doesn't define __round__ method", type_name(given[0])));
  }
  const bool whole = is_none(given.or_none(1));
  if (is_integer(given[0])) {
    if (!whole && to_integer(given[1]) < 0) throw Mistake("round() of an int to negative digits");
    return integer_of(given[0]);
  }
  const double number = float_of(given[0]);
  if (whole) {
    if (!(std::abs(number) < 9.2e18)) throw Mistake("cannot convert float to integer");
    return static_cast<std::int64_t>(std::nearbyint(number));
  }
  const std::int64_t digits = to_integer(given[1]);
  if (digits < 0 || digits > 300) throw Mistake("round() takes 0 to 300 digits");
  return std::strtod(fmt::format("{:.{}f}", number, digits).c_str(), nullptr);
}

Value sorted(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("sorted", arguments, {"iterable", "*key", "*reverse"}, 1);
  return make_list(
      sorted_items(evaluator, evaluator.items(given[0]), given.or_none(1), given.flag(2, false)));
}

Value any(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("any", arguments, {"iterable"}, 1);
  const auto iterator = evaluator.iterate(given[0]);
  while (const std::optional<Value> item = iterator->next()) {
    if (evaluator.truth(*item)) return true;
  }
  return false;
}

Value all(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("all", arguments, {"iterable"}, 1);
  const auto iterator = evaluator.iterate(given[0]);
  while (const std::optional<Value> item = iterator->next()) {
    if (!evaluator.truth(*item)) return false;
  }
  return true;
}

Value is_instance(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("isinstance", arguments, {"obj", "type"}, 2);
  return evaluator.is_instance(given[0], given[1]);
}

Value is_subclass(Evaluator&, const Arguments& arguments) {
  const Given given("issubclass", arguments, {"type", "base"}, 2);
  const auto* type = as<Class>(given[0]);
  const auto* base = as<Class>(given[1]);
  if (!type || !base) throw Mistake("issubclass() arguments must be classes");
  const auto& order = (*type)->order;
  return std::find(order.begin(), order.end(), *base) != order.end();
}

Value get_attribute(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("getattr", arguments, {"obj", "name", "default"}, 2);
  const std::string& name = to_text(given[1], "attribute name");
  if (!given.has(2)) return evaluator.attribute(given[0], name);
  std::optional<Value> found = evaluator.find_attribute(given[0], name);
  return found ? *found : given[2];
}

Value set_attribute(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("setattr", arguments, {"obj", "name", "value"}, 3);
  evaluator.set_attribute(given[0], to_text(given[1], "attribute name"), given[2]);
  return None{};
}

Value has_attribute(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("hasattr", arguments, {"obj", "name"}, 2);
  return evaluator.find_attribute(given[0], to_text(given[1], "attribute name")).has_value();
}

Value delete_attribute(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("delattr", arguments, {"obj", "name"}, 2);
  evaluator.delete_attribute(given[0], to_text(given[1], "attribute name"));
  return None{};
}

Value callable(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("callable", arguments, {"obj"}, 1);
  const Value& value = given[0];
  if (as<Function>(value) || as<Builtin>(value) || as<Class>(value) || as<BoundMethod>(value)) {
    return true;
  }
  const auto* object = as<Object>(value);
  return object != nullptr && evaluator.type_of(value)->find("__call__") != nullptr;
}

Value representation(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("repr", arguments, {"obj"}, 1);
  return evaluator.repr(given[0]);
}

Value identity(Evaluator&, const Arguments& arguments) {
  const Given given("id", arguments, {"obj"}, 1);
  throw Mistake("id() is not part of the language of models", "Compare by `is`.");
}

Value power(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("pow", arguments, {"base", "exp"}, 2);
  return evaluator.binary(syntax::BinaryOperator::power, given[0], given[1]);
}

Value divide(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("divmod", arguments, {"x", "y"}, 2);
  return make_tuple({evaluator.binary(syntax::BinaryOperator::floor_divide, given[0], given[1]),
                     evaluator.binary(syntax::BinaryOperator::modulo, given[0], given[1])});
}

/// Standard output belongs to what knead itself says.
Value print(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("print", {.positional = {}, .named = arguments.named},
                    {"*sep", "*end", "*flush"}, 0);
  const std::string separator = given.has(0) ? to_text(given[0], "sep") : " ";
  std::string line;
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    line += (i > 0 ? separator : "") + evaluator.text(arguments.positional[i]);
  }
  line += given.has(1) ? to_text(given[1], "end") : "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
  return None{};
}

}  // namespace

Values sorted_items(Evaluator& evaluator, Values items, const Value& key, bool reverse) {
  std::vector<std::pair<Value, Value>> keyed;
  for (Value& item : items) {
    Value by = is_none(key) ? item : evaluator.call(key, {{item}, {}});
    keyed.emplace_back(std::move(by), std::move(item));
  }
  const auto before = [&](const auto& a, const auto& b) {
    evaluator.spend(1);
    return reverse ? less(evaluator, b.first, a.first) : less(evaluator, a.first, b.first);
  };
  std::stable_sort(keyed.begin(), keyed.end(), before);
  items.clear();
  for (auto& pair : keyed) items.push_back(std::move(pair.second));
  return items;
}

void add_functions(Evaluator& evaluator) {
  const std::pair<const char*, Method> functions[] = {{"len", length_of},
                                                      {"zip", zip},
                                                      {"enumerate", enumerate},
                                                      {"map", map},
                                                      {"filter", filter},
                                                      {"reversed", reversed},
                                                      {"next", next},
                                                      {"iter", iter},
                                                      {"sum", sum},
                                                      {"max", max},
                                                      {"min", min},
                                                      {"abs", absolute},
                                                      {"round", round},
                                                      {"sorted", sorted},
                                                      {"any", any},
                                                      {"all", all},
                                                      {"isinstance", is_instance},
                                                      {"issubclass", is_subclass},
                                                      {"getattr", get_attribute},
                                                      {"setattr", set_attribute},
                                                      {"hasattr", has_attribute},
                                                      {"delattr", delete_attribute},
                                                      {"callable", callable},
                                                      {"repr", representation},
                                                      {"id", identity},
                                                      {"pow", power},
                                                      {"divmod", divide},
                                                      {"print", print}};
  for (const auto& [name, function] : functions) {
    evaluator.add_global(
        name, make_builtin(name, [function = function](Evaluator& with, const Arguments& arguments,
                                                       syntax::Range) {
          return function(with, arguments);
        }));
  }
}

}  // namespace knead::engine::model
