#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/evaluate_generator.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

Values Evaluator::fallbacks(const std::vector<syntax::Parameter>& parameters) {
  Values values;
  for (const syntax::Parameter& parameter : parameters) {
    if (!parameter.fallback) continue;
    values.push_back(evaluate(*parameter.fallback));
    spend_item(values.back());
  }
  return values;
}

// A function in a class body does not see the names of that body, as in Python.
std::shared_ptr<Scope> Evaluator::enclosing() const {
  const StackFrame& frame = frames_.back();
  if (frame.scope == frame.file->globals) return nullptr;
  if (frame.is_class && frame.scope == frame.names) return frame.scope->outer;
  return frame.scope;
}

namespace {

/// Returns whether a function is the setter of a property: `@width.setter` above `def width`.
bool is_setter(const syntax::Function& definition) {
  if (definition.decorators.size() != 1) return false;
  const auto* attribute = std::get_if<syntax::Attribute>(&definition.decorators[0].kind);
  const auto* name = attribute ? std::get_if<syntax::Name>(&attribute->value->kind) : nullptr;
  return name && attribute->name == "setter" && name->id == definition.name;
}

}  // namespace

Value Evaluator::define_function(const syntax::Function& definition) {
  spend_items(4);  // a function takes as much memory
  auto function = std::make_shared<Function>();
  function->name = definition.name;
  function->file = frames_.back().file;
  function->definition = &definition;
  function->fallbacks = fallbacks(definition.parameters);
  function->closure = enclosing();
  function->yields = has_yield(definition);
  if (frames_.back().is_class) frames_.back().functions.push_back(function);
  Value value = function;
  const auto& decorators = definition.decorators;
  if (is_setter(definition)) {
    Scope& scope = *frames_.back().scope;
    // The setter is stored under its own name; `def width` must leave the property in place.
    scope.set(setter_of(definition.name), value);
    return evaluate(*std::get<syntax::Attribute>(decorators[0].kind).value);
  }
  for (auto decorator = decorators.rbegin(); decorator != decorators.rend(); ++decorator) {
    value = decorate(*decorator, value);
  }
  return value;
}

Value Evaluator::decorate(const syntax::Expression& decorator, const Value& value) {
  return at_place(decorator.range, [&] {
    const Value with = evaluate(decorator);
    frames_.back().at = decorator.range;
    return call(with, {.positional = {value}, .named = {}}, decorator.range);
  });
}

namespace {

using Order = std::vector<std::shared_ptr<Class>>;

/// Returns the first class of each order, for a message.
std::string heads(const std::vector<Order>& orders) {
  std::string text;
  Order seen;
  for (const Order& order : orders) {
    if (std::find(seen.begin(), seen.end(), order.front()) != seen.end()) continue;
    seen.push_back(order.front());
    text += (text.empty() ? "" : ", ") + order.front()->name;
  }
  return text;
}

/// Merges the orders of the bases by C3 linearization, Python's method resolution order: a class
/// precedes its bases, and bases keep their written order.
Order merge(Evaluator& evaluator, std::vector<Order> orders) {
  Order merged;
  while (true) {
    std::erase_if(orders, [](const Order& order) { return order.empty(); });
    if (orders.empty()) return merged;
    const auto is_later = [&](const std::shared_ptr<Class>& type) {
      return std::any_of(orders.begin(), orders.end(), [&](const Order& order) {
        evaluator.spend(static_cast<std::int64_t>(order.size() / 8) + 1);
        return std::find(order.begin() + 1, order.end(), type) != order.end();
      });
    };
    const auto next = std::find_if(orders.begin(), orders.end(),
                                   [&](const Order& order) { return !is_later(order.front()); });
    if (next == orders.end()) {
      throw Mistake("Cannot create a consistent method resolution order (MRO) for bases " +
                    heads(orders));
    }
    const std::shared_ptr<Class> type = next->front();
    merged.push_back(type);
    for (Order& order : orders) {
      if (order.front() == type) order.erase(order.begin());
    }
  }
}

/// Returns whether a base is Generic or Protocol of typing, which are left out of the order because
/// they have no members. A class of a file may have the same name.
bool is_for_annotations(const Class& base) {
  return !base.file && (base.name == "Generic" || base.name == "Protocol");
}

/// Records the class that defines a function; a function that was defined elsewhere keeps its
/// owner.
void set_owner(const Value& member, const std::shared_ptr<Class>& owner) {
  if (const auto* function = as<Function>(member); function && (*function)->owner.expired()) {
    (*function)->owner = owner;
  }
}

}  // namespace

// Python passes the keywords of a class, but for its metaclass, to __init_subclass__ of its bases.
void Evaluator::tell_bases(const std::shared_ptr<Class>& type) {
  const syntax::Class& definition = *type->definition;
  Arguments all{.positional = {type}, .named = {}};
  for (const syntax::Keyword& keyword : definition.keywords) {
    if (keyword.name != "metaclass") all.named.emplace_back(keyword.name, evaluate(*keyword.value));
  }
  for (const auto& base : type->order) {
    const Value* told = find_named(base->members, "__init_subclass__");
    if (base == type || !told) continue;
    at_place(definition.name_range, [&] { call(*told, all, definition.name_range); });
    return;
  }
  if (all.named.empty()) return;
  fail(definition.keywords[0].name_range, fmt::format("{}.__init_subclass__() takes no keyword "
                                                      "arguments",
                                                      definition.name));
}

Value Evaluator::define_class(const syntax::Class& definition) {
  constexpr std::int64_t kStepsOfClass = 500;  // it takes some kilobytes
  spend(kStepsOfClass);
  auto type = std::make_shared<Class>();
  type->name = definition.name;
  type->file = frames_.back().file;
  type->definition = &definition;

  std::vector<Order> orders;
  Order bases;
  for (const syntax::Expression& written : definition.bases) {
    const Value value = value_or_placeholder(*this, written);
    const auto* missing = as<Namespace>(value);
    if (missing && (*missing)->failure) {
      // Only an object of the class is an error.
      type->failure = (*missing)->failure;
      continue;
    }
    const auto* base = as<Class>(value);
    if (base == nullptr) fail(written.range, "this base is not a class");
    if ((*base)->failure) type->failure = (*base)->failure;
    if (is_for_annotations(**base)) continue;
    orders.push_back((*base)->order);
    bases.push_back(*base);
  }
  orders.push_back(bases);
  type->order = at_place(definition.name_range, [&] { return merge(*this, orders); });
  type->order.insert(type->order.begin(), type);
  for (const auto& base : type->order) {
    type->is_module = type->is_module || base->is_module;
    // A subclass of nn.Sequential is compiled as a Sequential.
    if (type->container == Class::Container::none) type->container = base->container;
  }

  auto scope = std::make_shared<Scope>(Scope{.names = {}, .outer = enclosing()});
  frames_.push_back(
      {.file = type->file, .scope = scope, .names = scope, .function = nullptr, .is_class = true});
  execute(definition.body);
  // super() in a decorated method continues after this class as well.
  for (const auto& function : frames_.back().functions) function->owner = type;
  frames_.pop_back();
  type->members = std::move(scope->names);
  // Python makes this method a class method by itself.
  Value* told = find_named(type->members, "__init_subclass__");
  if (told && as<Function>(*told)) (*as<Function>(*told))->kind = Function::Kind::class_;
  for (const auto& [name, member] : type->members) set_owner(member, type);
  at_place(definition.name_range, [&] { finish_record(type); });
  tell_bases(type);

  Value value = type;
  const auto& decorators = definition.decorators;
  for (auto decorator = decorators.rbegin(); decorator != decorators.rend(); ++decorator) {
    value = decorate(*decorator, value);
  }
  return value;
}

// --- objects

namespace {

/// Throws Mistake for a class whose objects are made or called by a method that would be passed
/// over here.
void expect_usual_objects(const Class& type) {
  const auto is_own = [&](const char* method) {
    const Value* member = type.find(method);
    return member && as<Function>(*member);
  };
  if (is_own("__new__"))
    throw Mistake(fmt::format("{}.__new__ is not part of the language of models", type.name),
                  "make the object in __init__, or by a function");
  if (type.is_module && is_own("__call__"))
    throw Mistake(fmt::format("{} is a module with its own __call__", type.name),
                  "write forward instead: PyTorch calls it");
}

}  // namespace

Value Evaluator::construct(const std::shared_ptr<Class>& type, const Arguments& arguments,
                           syntax::Range at) {
  if (type->failure) throw FailedBefore{type->failure};
  expect_usual_objects(*type);
  if (type->construct) return type->construct(*this, arguments, at);
  // An object with __init__ in Python cannot hold the value that a built-in constructor makes.
  for (const auto& base : type->order) {
    if (!base->construct) continue;
    throw Mistake(
        fmt::format("a class below '{}' is not part of the language of models", base->name));
  }
  auto object = std::make_shared<Object>();
  object->type = type;
  const Value* init = type->find("__init__");
  if (init != nullptr) {
    call(std::make_shared<BoundMethod>(BoundMethod{object, *init}), arguments, at);
  } else if (!arguments.positional.empty() || !arguments.named.empty()) {
    throw Mistake(fmt::format("{}() takes no arguments", type->name));
  }
  // Without super().__init__() the object cannot hold parameters or submodules.
  if (type->is_module && !object->ready) {
    throw Mistake(fmt::format("{}.__init__() does not call super().__init__()", type->name));
  }
  return object;
}

}  // namespace knead::engine::model
