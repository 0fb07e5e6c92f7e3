#include <algorithm>

#include "runner/engine/model/lower/statics.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/settings.h"

namespace knead::engine::model {
namespace {

/// Returns whether a function returns the mode of PyTorch (scripting or tracing). The mode is
/// always off, because a model runs here as in Python.
bool is_question(const Value& callee) {
  const auto* builtin = as<Builtin>(callee);
  return builtin && ((*builtin)->name == "torch.jit.is_scripting" ||
                     (*builtin)->name == "torch.jit.is_tracing");
}

/// Returns whether a function answers a question about a pattern of einops, from its arguments
/// alone; see builtins_einops.cpp.
bool is_about_pattern(const Value& callee) {
  const auto* builtin = as<Builtin>(callee);
  return builtin && (*builtin)->name.starts_with("einops._");
}

/// Returns whether a value is a function of NumPy that depends on its arguments only.
bool is_of_library(const Value& callee) {
  const auto* type = as<Class>(callee);
  if (type) return (*type)->name.starts_with("numpy.");
  const auto* builtin = as<Builtin>(callee);
  return builtin && (*builtin)->name.starts_with("numpy.") &&
         !(*builtin)->name.starts_with("numpy.random.");
}

/// Returns a tuple of two values.
Value pair(Value first, Value second) { return make_tuple({std::move(first), std::move(second)}); }

/// Evaluates range(); returns std::nullopt for wrong arguments.
std::optional<Value> range_of(const Values& arguments) {
  if (arguments.empty() || arguments.size() > 3 ||
      !std::all_of(arguments.begin(), arguments.end(), is_integer)) {
    return std::nullopt;
  }
  auto range = std::make_shared<Range>();
  range->end = integer_of(arguments[arguments.size() > 1]);
  if (arguments.size() > 1) range->begin = integer_of(arguments[0]);
  if (arguments.size() > 2) range->step = integer_of(arguments[2]);
  return range->step == 0 ? std::nullopt : std::optional<Value>(range);
}

/// Evaluates slice() of whole numbers and None; returns std::nullopt for other arguments.
std::optional<Value> slice_of(const Values& arguments) {
  const bool fits = !arguments.empty() && arguments.size() <= 3 &&
                    std::all_of(arguments.begin(), arguments.end(), [](const Value& value) {
                      return is_none(value) || is_integer(value);
                    });
  if (!fits) return std::nullopt;
  Slice slice{.begin = None{}, .end = arguments[arguments.size() > 1], .step = None{}};
  if (arguments.size() > 1) slice.begin = arguments[0];
  if (arguments.size() > 2) slice.step = arguments[2];
  return std::make_shared<Slice>(slice);
}

Value enumerated(const Values& items, std::int64_t start) {
  Values result;
  for (const Value& item : items) result.push_back(pair(Value(start++), item));
  return make_tuple(std::move(result));
}

Value zipped(const std::vector<Values>& lists) {
  std::size_t size = lists.front().size();
  for (const Values& list : lists) size = std::min(size, list.size());
  Values result;
  for (std::size_t i = 0; i < size; ++i) {
    Values row;
    for (const Values& list : lists) row.push_back(list[i]);
    result.push_back(make_tuple(std::move(row)));
  }
  return make_tuple(std::move(result));
}

}  // namespace

std::optional<Value> Statics::call(const syntax::Call& call) const {
  if (!call.keywords.empty()) return std::nullopt;
  const auto function = value(*call.callee);
  if (function && is_of_library(*function)) return library_call(*function, call.arguments);
  if (const auto* attribute = std::get_if<syntax::Attribute>(&call.callee->kind)) {
    if (function && is_question(*function)) return Value(false);
    const auto of = value(*attribute->value);
    if (of && is_settings(*of)) return settings_method(*of, attribute->name, call.arguments);
    const auto* object = of ? as<Object>(*of) : nullptr;
    if (!object || !call.arguments.empty()) return std::nullopt;
    return container_method(**object, attribute->name);
  }
  const auto* callee = std::get_if<syntax::Name>(&call.callee->kind);
  if (!callee || is_local(callee->id)) return std::nullopt;
  if (const Value* outer = find_outer(callee->id)) {
    return is_about_pattern(*outer) ? about_pattern(*outer, call) : std::nullopt;
  }
  if (callee->id == "isinstance" || callee->id == "hasattr" || callee->id == "getattr" ||
      callee->id == "callable") {
    return about_object(callee->id, call.arguments);
  }
  const auto arguments = values(call.arguments);
  if (arguments && callee->id == "slice") return slice_of(*arguments);
  return arguments ? builtin(callee->id, *arguments) : std::nullopt;
}

// A pattern that is refused has no value that the model could compute with, so it is refused here.
std::optional<Value> Statics::about_pattern(const Value& callee, const syntax::Call& call) const {
  const auto arguments = values(call.arguments);
  if (!arguments) return std::nullopt;
  try {
    return python_.call(callee, {*arguments, {}});
  } catch (const Mistake& mistake) {
    throw syntax::Refusal("model-refused", function_.file->file->place(call.callee->range),
                          mistake.what(), mistake.remedy());
  }
}

// The result of a function of NumPy is a constant if it is a number: an array has no type in a
// method.
std::optional<Value> Statics::library_call(const Value& callee,
                                           const syntax::Expressions& arguments) const {
  const auto known = values(arguments);
  if (!known || !std::all_of(known->begin(), known->end(), is_plain)) return std::nullopt;
  const auto made = attempt([&] { return python_.call(callee, {*known, {}}); });
  return made && is_number(*made) ? made : std::nullopt;
}

// Answers isinstance, hasattr, getattr and callable for a module or a configuration.
std::optional<Value> Statics::about_object(const std::string& name,
                                           const syntax::Expressions& arguments) const {
  const auto of = arguments.empty() ? std::nullopt : value(arguments[0]);
  const auto* object = of ? as<Object>(*of) : nullptr;
  if (!object) return std::nullopt;
  if (name == "callable") return Value((*object)->type->is_module);
  const auto second = arguments.size() > 1 ? value(arguments[1]) : std::nullopt;
  if (!second) return std::nullopt;
  if (name == "isinstance") return attempt([&] { return python_.is_instance(*of, *second); });
  const auto* field = std::get_if<std::string>(&*second);
  if (!field) return std::nullopt;
  const bool exists = has_attribute(**object, *field);
  if (name == "hasattr") return Value(exists);
  // The default is used only if the attribute does not exist; an attribute that methods change has
  // no value, and the call is compiled.
  if (!exists && arguments.size() == 3) return value(arguments[2]);
  return object_attribute(**object, *field);
}

std::optional<Value> Statics::container_method(const Object& object,
                                               const std::string& name) const {
  if (!object.type->is_module || object.type->find(name) == nullptr) return std::nullopt;
  const Value* member = object.type->find(name);
  if (!as<Builtin>(*member)) return std::nullopt;  // defined in source
  const bool both = name == "items" || name == "named_children";
  const bool modules = name == "values" || name == "children";
  if (!both && !modules && name != "keys") return std::nullopt;
  const bool children = name == "children" || name == "named_children";
  if (children || object.type->container == Class::Container::dict) {
    Values result;
    for (const auto& [key, module] : object.modules) {
      if (children && !module) continue;
      result.push_back(both      ? pair(Value(key), make_module(module))
                       : modules ? make_module(module)
                                 : Value(key));
    }
    return make_tuple(std::move(result));
  }
  return std::nullopt;
}

// No method can change settings, so these calls have one result.
std::optional<Value> Statics::settings_method(const Value& settings, const std::string& name,
                                              const syntax::Expressions& arguments) const {
  const NamedValues& entries = entries_of(settings);
  if (find_named(entries, name)) return std::nullopt;
  const auto given = values(arguments);
  if (!given) return std::nullopt;
  if (name == "get" && (given->size() == 1 || given->size() == 2)) {
    const auto* key = std::get_if<std::string>(&given->front());
    const Value* found = key ? find_named(entries, *key) : nullptr;
    return found ? *found : given->size() == 2 ? given->back() : Value(None{});
  }
  if (!given->empty() || (name != "keys" && name != "values" && name != "items"))
    return std::nullopt;
  Values result;
  for (const auto& [key, value] : entries) {
    result.push_back(name == "keys"     ? Value(key)
                     : name == "values" ? value
                                        : pair(Value(key), value));
  }
  return make_tuple(std::move(result));
}

std::optional<Value> Statics::builtin(const std::string& name, const Values& arguments) const {
  if (name == "range") return range_of(arguments);
  std::vector<Values> lists;
  const bool has_start = name == "enumerate" && arguments.size() == 2 && is_integer(arguments[1]);
  for (std::size_t i = 0; i < arguments.size() - (has_start ? 1 : 0); ++i) {
    auto list = items(arguments[i]);
    if (!list) return std::nullopt;
    lists.push_back(std::move(*list));
  }
  if (lists.empty()) return std::nullopt;
  if (name == "zip") return zipped(lists);
  if (lists.size() != 1) return std::nullopt;
  if (name == "len") return Value(static_cast<std::int64_t>(lists.front().size()));
  if (name == "enumerate")
    return enumerated(lists.front(), has_start ? integer_of(arguments[1]) : 0);
  if (name == "reversed") std::reverse(lists.front().begin(), lists.front().end());
  // A tuple stands for the list: it is only read here, and an assigned list is compiled as a list.
  if (name == "reversed" || name == "list" || name == "tuple") return make_tuple(lists.front());
  return std::nullopt;
}

std::optional<Value> Statics::formatted(const syntax::FString& text) const {
  std::string result;
  for (const auto& part : text.parts) {
    if (const auto* plain = std::get_if<std::string>(&part)) {
      result += *plain;
      continue;
    }
    const auto& replacement = std::get<syntax::Replacement>(part);
    const bool is_bare =
        replacement.conversion == 0 && replacement.spec.empty() && replacement.debug.empty();
    const auto known = is_bare ? value(*replacement.value) : std::nullopt;
    if (!known || !(is_integer(*known) || is_text(*known))) return std::nullopt;
    result += python_.text(*known);
  }
  return Value(result);
}

}  // namespace knead::engine::model
