#include "runner/engine/model/dispatch.h"

#include <algorithm>
#include <map>

#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>

#include "runner/engine/model/match.h"
#include "runner/engine/model/mistake.h"
#include "runner/engine/model/tensors.h"
#include "runner/engine/model/values.h"

namespace knead::engine::model {

namespace {

struct Refused {
  std::string_view why;
  std::string_view remedy;
};

using Overloads = std::vector<c10::OperatorHandle>;

/// Every overload that computes something new: those that write to `out=` are another spelling.
const std::map<std::string, Overloads, std::less<>>& operators() {
  static const auto all = [] {
    std::map<std::string, Overloads, std::less<>> made;
    auto& dispatcher = c10::Dispatcher::singleton();
    for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
      if (name.name.rfind("aten::", 0) != 0) continue;
      const auto handle = dispatcher.findSchema(name);
      if (!handle) continue;
      const auto& arguments = handle->schema().arguments();
      const bool writes_out = std::any_of(arguments.begin(), arguments.end(), [](const auto& one) {
        return one.is_out() || one.name() == "out";
      });
      const bool by_names = name.overload_name.find("imname") != std::string::npos ||
                            name.overload_name.find("names") != std::string::npos;
      if (!writes_out && !by_names) made[name.name.substr(6)].push_back(*handle);
    }
    for (auto& [name, overloads] : made) {
      std::sort(overloads.begin(), overloads.end(), [](const auto& a, const auto& b) {
        return a.operator_name().overload_name < b.operator_name().overload_name;
      });
    }
    return made;
  }();
  return all;
}

const Refused kFiles = {"a model cannot touch files",
                        "Weights come into a model by the recipe's `init`."};
const Refused kSeed = {"random numbers follow from the seed of the recipe",
                       "Take this line out; `seed` in the recipe says which numbers are drawn."};
const Refused kDevice = {"a model is built on the CPU",
                         "Take this out; `device` in the recipe says where the model lives."};

const std::map<std::string_view, Refused>& refused() {
  static const std::map<std::string_view, Refused> names = {
      {"from_file", kFiles}, {"load", kFiles},           {"save", kFiles}, {"manual_seed", kSeed},
      {"seed", kSeed},       {"set_num_threads", kSeed}, {"cuda", kDevice}};
  return names;
}

/// The overloads of a name whose first argument fits, as a person may look for them.
std::string signatures(const Overloads& overloads, const Arguments& arguments) {
  std::string text;
  for (const bool all : {false, true}) {
    for (const c10::OperatorHandle& overload : overloads) {
      if (!all && !first_fits(overload.schema(), arguments)) continue;
      text += (text.empty() ? "" : "; ") + signature(overload.schema());
    }
    if (!text.empty()) break;
  }
  return text;
}

/// "Tensor", "(int, str)".
std::string described(const Value& value) {
  const Values* items = sequence(value);
  if (items == nullptr || items->size() > 6) return type_name(value);
  std::string text;
  for (const Value& item : *items) text += (text.empty() ? "" : ", ") + described(item);
  return as<List>(value) ? "[" + text + "]" : "(" + text + ")";
}

std::string described(const Arguments& arguments) {
  std::string text;
  for (const Value& value : arguments.positional) {
    text += (text.empty() ? "" : ", ") + described(value);
  }
  for (const auto& [name, value] : arguments.named) {
    if (is_none(value)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, described(value));
  }
  return text;
}

/// `requires_grad=` of factory functions is Python's, no operator knows it.
bool take_requires_grad(Arguments& arguments, const Overloads& overloads) {
  const auto found = std::find_if(arguments.named.begin(), arguments.named.end(),
                                  [](const auto& entry) { return entry.first == "requires_grad"; });
  if (found == arguments.named.end()) return false;
  const auto& schema_arguments = overloads.front().schema().arguments();
  const bool is_factory =
      std::any_of(schema_arguments.begin(), schema_arguments.end(),
                  [](const auto& argument) { return argument.name() == "pin_memory"; });
  if (!is_factory || !std::holds_alternative<bool>(found->second)) return false;
  const bool wanted = std::get<bool>(found->second);
  arguments.named.erase(found);
  return wanted;
}

}  // namespace

bool is_operator(const std::string& name) {
  return operators().contains(name) || refused().contains(name);
}

Value call_operator(const std::string& name, const Arguments& arguments) {
  if (const auto no = refused().find(name); no != refused().end()) {
    throw Mistake(fmt::format("'{}' cannot be called in a model: {}", name, no->second.why),
                  std::string(no->second.remedy));
  }
  const Overloads& overloads = operators().find(name)->second;
  Arguments taken = arguments;
  const bool requires_grad = take_requires_grad(taken, overloads);
  std::erase_if(taken.named, [](const auto& entry) {
    return (entry.first == "generator" || entry.first == "out") && is_none(entry.second);
  });
  for (const bool converting : {false, true}) {
    for (const c10::OperatorHandle& overload : overloads) {
      std::optional<std::vector<c10::IValue>> stack = match(overload.schema(), taken, converting);
      if (!stack) continue;
      overload.callBoxed(*stack);
      if (stack->empty()) return None{};
      Value result = stack->size() == 1 ? to_value(stack->front()) : to_value_of_many(*stack);
      if (requires_grad) std::get<at::Tensor>(result).set_requires_grad(true);
      count_memory(result);
      return result;
    }
  }
  throw Mistake(fmt::format("{}() cannot be called with ({})", name, described(arguments)),
                "It takes " + signatures(overloads, taken));
}

std::string words_of(const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  static constexpr std::string_view kAllocation = "you tried to allocate ";
  const std::size_t place = text.find(kAllocation);
  if (place == std::string::npos) return text.substr(0, text.find("\nException raised from"));
  const std::string_view bytes = std::string_view(text).substr(place + kAllocation.size());
  return fmt::format("there is no memory for a tensor of {} bytes",
                     bytes.substr(0, bytes.find(' ')));
}

Value operator_named(const std::string& space, const std::string& name) {
  return make_builtin(space + "." + name,
                      [name](Evaluator&, const Arguments& arguments, syntax::Range) {
                        return call_operator(name, arguments);
                      });
}

}  // namespace knead::engine::model
