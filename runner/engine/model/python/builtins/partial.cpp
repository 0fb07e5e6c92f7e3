#include "runner/engine/model/python/builtins/partial.h"

#include <algorithm>

#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/native.h"

namespace knead::engine::model {

namespace {

constexpr const char* kPartial = "functools.partial";

/// Calls the function with the bound arguments first; a named argument of the call replaces a bound
/// one.
Value call_bound(Evaluator& evaluator, const Arguments& arguments) {
  const auto self = std::get<std::shared_ptr<Object>>(arguments.positional.at(0));
  Partial partial = partial_of(*self);
  Arguments all{.positional = std::move(partial.bound.positional), .named = arguments.named};
  all.positional.insert(all.positional.end(), arguments.positional.begin() + 1,
                        arguments.positional.end());
  // Each level of partials in partials holds them several times.
  evaluator.spend(16 * std::ssize(all.positional));
  for (const auto& entry : partial.bound.named) {
    const bool is_given =
        std::any_of(arguments.named.begin(), arguments.named.end(),
                    [&](const auto& given) { return given.first == entry.first; });
    if (!is_given) all.named.push_back(entry);
  }
  return evaluator.call(partial.callee, all);
}

}  // namespace

Value make_partial(Evaluator& evaluator, const Arguments& arguments) {
  if (arguments.positional.empty()) throw Mistake("type 'partial' takes at least one argument");
  const auto object = std::make_shared<Object>();
  object->type = make_type(kPartial);
  add_method(*object->type, "__call__", call_bound);
  auto keywords = std::make_shared<Dict>();
  for (const auto& [name, value] : arguments.named) evaluator.set_key(*keywords, name, value);
  set_plain_attribute(*object, "func", arguments.positional[0]);
  set_plain_attribute(*object, "args",
                      make_tuple({arguments.positional.begin() + 1, arguments.positional.end()}));
  set_plain_attribute(*object, "keywords", keywords);
  return object;
}

bool is_partial(const Object& object) {
  return object.type->name == kPartial && object.type->construct == nullptr &&
         object.type->fields.empty();
}

Partial partial_of(const Object& object) {
  const Value* callee = find_named(object.attributes, "func");
  const Value* args = find_named(object.attributes, "args");
  const Value* keywords = find_named(object.attributes, "keywords");
  // An assignment may have replaced them.
  if (!callee || !args || !as<Tuple>(*args) || !keywords || !as<Dict>(*keywords)) {
    throw Mistake("this partial has no function and arguments any more");
  }
  Partial partial{.callee = *callee, .bound = {}};
  partial.bound.positional = (*as<Tuple>(*args))->items;
  for (const auto& [name, value] : (*as<Dict>(*keywords))->items) {
    partial.bound.named.emplace_back(to_text(name, "a keyword"), value);
  }
  return partial;
}

}  // namespace knead::engine::model
