#include "runner/engine/model/operators/dispatch.h"

#include <algorithm>
#include <array>
#include <map>

#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/match.h"
#include "runner/engine/model/operators/parts_made.h"
#include "runner/engine/model/operators/permission.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/work.h"
#include "runner/engine/tensor/tensor_words.h"
#include "schema/document/byte_words.h"

namespace knead::engine::model {

namespace {

using Overloads = std::vector<c10::OperatorHandle>;

/// States how many steps of the evaluator a call takes as long as, with the tensor that it makes.
constexpr std::int64_t kStepsOfCall = 50;

/// States how many steps a call takes as long as, if it decomposes or inverts a small matrix.
constexpr std::int64_t kStepsOfDecomposition = 2000;

bool decomposes(std::string_view name) {
  constexpr std::array kNames{"svd", "qr", "inverse", "pinverse", "matrix_exp", "cholesky"};
  return (name.starts_with("linalg_") && !name.ends_with("norm")) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Throws Mistake before a call that makes too many tensors.
void expect_few_tensors(const std::string& name, const std::vector<c10::IValue>& stack) {
  const std::int64_t parts = parts_made(name, stack);
  if (parts > kMostParts) {
    throw Mistake(
        fmt::format("{}() would make {} tensors here, and may make {}", name, parts, kMostParts),
        "work on the whole tensor, or on larger parts of it");
  }
  count_parts(parts * kPartsOfStep * kStepsOfCall);
  if (decomposes(name)) count_parts(kPartsOfStep * kStepsOfDecomposition);
}

/// Returns the overloads of each operator by name, sorted, without those that write to `out=`
/// (another spelling of the same operator), take names of dimensions or are refused.
const std::map<std::string, Overloads, std::less<>>& operators() {
  // The table is made once; LibTorch registers its operators before main().
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
      if (writes_out || by_names || refusal_of(handle->schema())) continue;
      made[name.name.substr(6)].push_back(*handle);
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

/// Returns the signatures whose first parameter fits, for a message; all signatures if none fits.
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

/// Returns the type of a value for messages: "Tensor", "(int, str)".
std::string described(const Value& value, int levels = 3) {
  const Values* items = sequence(value);
  if (items == nullptr || items->size() > 6 || levels == 0) return type_name(value);
  std::string text;
  for (const Value& item : *items) text += (text.empty() ? "" : ", ") + described(item, levels - 1);
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

/// Removes the argument requires_grad and returns its value. Only the Python API of factory
/// functions has it; an operator with `pin_memory` is a factory.
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

namespace {

/// Calls an overload. Rewords a refusal of LibTorch that the user can fix.
void call(const c10::OperatorHandle& overload, std::vector<c10::IValue>& stack) {
  try {
    overload.callBoxed(stack);
  } catch (const c10::Error& error) {
    const std::string words = words_of(error);
    if (words.starts_with("a leaf Variable that requires grad")) {
      throw Mistake("a parameter is changed in place",
                    "do it before nn.Parameter(…), or below with torch.no_grad():");
    }
    throw;
  }
}

}  // namespace

bool is_operator(const std::string& name) {
  return operators().contains(name) || refusal_of_native(name) != nullptr;
}

namespace {

/// Returns the first float among the arguments, which probably should be an int, as in a size of
/// 8.0.
std::optional<double> fraction_in(const Arguments& arguments) {
  const auto is_fraction = [](const Value& value) { return std::holds_alternative<double>(value); };
  for (const Value& value : arguments.positional) {
    if (is_fraction(value)) return std::get<double>(value);
    const Values* items = sequence(value);
    if (items == nullptr) continue;
    const auto found = std::find_if(items->begin(), items->end(), is_fraction);
    if (found != items->end()) return std::get<double>(*found);
  }
  return std::nullopt;
}

/// Adds the argument that torch.stft() has by default, and whose absence means another overload.
void center(Arguments& arguments) {
  constexpr std::size_t kBeforeCenter = 5;
  const bool is_given = arguments.positional.size() > kBeforeCenter ||
                        std::any_of(arguments.named.begin(), arguments.named.end(),
                                    [](const auto& entry) { return entry.first == "center"; });
  if (!is_given) arguments.named.emplace_back("center", true);
}

/// Returns whether some overload begins with a list of ints.
bool wants_sizes(const Overloads& overloads) {
  return std::any_of(overloads.begin(), overloads.end(), [](const auto& overload) {
    const auto& parameters = overload.schema().arguments();
    const auto* list =
        parameters.empty() ? nullptr : parameters[0].type()->template castRaw<c10::ListType>();
    return list && list->getElementType()->kind() == c10::TypeKind::IntType;
  });
}

/// Keeps the names of an operator's results, where all have one.
void name_results(const c10::FunctionSchema& schema, const Value& results) {
  const auto* tuple = std::get_if<std::shared_ptr<Tuple>>(&results);
  std::vector<std::string> names;
  for (const c10::Argument& result : schema.returns()) {
    if (result.name().empty()) return;
    names.push_back(result.name());
  }
  if (tuple) (*tuple)->names = std::move(names);
}

}  // namespace

Value call_operator(const std::string& name, const Arguments& arguments) {
  count_parts(kStepsOfCall * kPartsOfStep);
  const auto found = operators().find(name);
  if (found == operators().end()) {
    const OperatorRefusal& refusal = *refusal_of_native(name);
    throw Mistake(refused_words(name, refusal), std::string(refusal.remedy));
  }
  const Overloads& overloads = found->second;
  Arguments taken = arguments;
  if (name == "stft") center(taken);
  const bool requires_grad = take_requires_grad(taken, overloads);
  // `generator=None` and `out=None` mean that the argument is absent.
  std::erase_if(taken.named, [](const auto& entry) {
    return (entry.first == "generator" || entry.first == "out") && is_none(entry.second);
  });
  // An overload that fits without conversion has precedence over one that needs conversion.
  for (const bool converting : {false, true}) {
    for (const c10::OperatorHandle& overload : overloads) {
      std::optional<std::vector<c10::IValue>> stack = match(overload.schema(), taken, converting);
      if (!stack) continue;
      expect_few_tensors(name, *stack);
      call(overload, *stack);
      if (stack->empty()) return None{};
      Value result = stack->size() == 1 ? to_value(stack->front()) : to_value_of_many(*stack);
      if (stack->size() > 1) name_results(overload.schema(), result);
      if (requires_grad) std::get<at::Tensor>(result).set_requires_grad(true);
      count_memory(result);
      return result;
    }
  }
  const std::optional<double> fraction = fraction_in(arguments);
  throw Mistake(fmt::format("{}() cannot be called with ({})", name, described(arguments)),
                fraction && wants_sizes(overloads)
                    ? fmt::format("{} is no whole number: write a // b, or int(…)", *fraction)
                    : "it takes " + signatures(overloads, taken));
}

std::string words_of(const c10::Error& error) {
  const std::string text = error.what_without_backtrace();
  static constexpr std::string_view kAllocation = "you tried to allocate ";
  const std::size_t place = text.find(kAllocation);
  if (place == std::string::npos) return text.substr(0, text.find("\nException raised from"));
  const std::string_view bytes = std::string_view(text).substr(place + kAllocation.size());
  return "there is no memory for a tensor of " + schema::byte_words(std::stod(std::string(bytes)));
}

Value operator_named(const std::string& space, const std::string& name) {
  return make_builtin(space + "." + name,
                      [name](Evaluator&, const Arguments& arguments, syntax::Range) {
                        return call_operator(name, arguments);
                      });
}

}  // namespace knead::engine::model
