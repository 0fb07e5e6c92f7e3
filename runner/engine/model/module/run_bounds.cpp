#include "runner/engine/model/module/run_bounds.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include <ATen/core/stack.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/custom_operator.h>

#include "runner/engine/model/operators/parts_made.h"

namespace knead::engine::model {
namespace {

using c10::IValue;
using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Stack;
using torch::jit::Value;
using Inputs = c10::ArrayRef<IValue>;

constexpr std::int64_t kStepsOfCall = 32;
constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kLeast = 8 * kMillion;
constexpr std::int64_t kCallsOfItem = 2000;
constexpr std::int64_t kLongestText = 16 * kMillion;

/// What the run of this thread may do, and has left.
thread_local std::int64_t allowed = kLeast;
thread_local std::int64_t left = kLeast;

void take(std::int64_t steps) {
  left -= steps;
  if (left >= 0 && steps >= 0) return;
  throw std::runtime_error(fmt::format("{}: with a batch of this size it may take {} million",
                                       kTooManySteps, allowed / kMillion));
}

// --- what an operator does with lists and texts

/// Returns the items of a value, those of the lists in it included, and of its texts each 16 bytes.
std::int64_t items_in(const IValue& value, int levels = 8) {
  if (value.isString()) return static_cast<std::int64_t>(value.toStringRef().size() / 16) + 1;
  if (value.isGenericDict()) return 4 * static_cast<std::int64_t>(value.toGenericDict().size()) + 1;
  if (!value.isList() && !value.isTuple()) return 1;
  const Inputs items = value.isList() ? value.toListRef() : Inputs(value.toTupleRef().elements());
  auto total = static_cast<std::int64_t>(items.size()) + 1;
  // Numbers and tensors lie flat.
  const bool is_nested = !items.empty() && (items[0].isString() || items[0].isList() ||
                                            items[0].isTuple() || items[0].isGenericDict());
  if (!is_nested || levels == 0) return total;
  for (const IValue& item : items) {
    total += items_in(item, levels - 1);
    if (total > kMillion * 1000) break;
  }
  return total;
}

/// Returns the items of the list or the sixteenths of the text that an operator makes longer by a
/// number, as `[0] * n`, or by the parts that it puts in.
std::int64_t made_items(std::string_view name, Inputs inputs) {
  const auto size = [&](std::size_t i) { return i < inputs.size() ? items_in(inputs[i]) : 0; };
  const auto number = [&](std::size_t i) {
    return i < inputs.size() && inputs[i].isInt() ? std::max<std::int64_t>(inputs[i].toInt(), 0)
                                                  : 0;
  };
  if (name == "mul") {
    const bool is_first = inputs.size() == 2 && inputs[1].isInt();
    std::int64_t product = 0;
    const bool overflows =
        __builtin_mul_overflow(is_first ? size(0) : size(1), number(is_first ? 1 : 0), &product);
    return overflows ? -1 : product;
  }
  if (name == "rangelist") return number(0);
  if (name == "ljust" || name == "rjust" || name == "center" || name == "zfill") return number(1);
  if (name == "join" && inputs.size() == 2 && inputs[1].isList()) {
    return size(0) * static_cast<std::int64_t>(inputs[1].toListRef().size());
  }
  if (name == "replace" || name == "expandtabs") {
    // Each letter may give way to the new text.
    const bool is_text = inputs[0].isString();
    const auto letters = is_text ? static_cast<std::int64_t>(inputs[0].toStringRef().size()) : 0;
    return letters / 16 + letters * (name == "replace" ? size(2) : number(1) / 16 + 1);
  }
  return 0;
}

constexpr std::array<std::string_view, 20> kReaders{
    "eq",  "ne",      "lt",         "count",  "index",  "find",        "rfind",
    "pop", "remove",  "reverse",    "min",    "max",    "sum",         "any",
    "all", "isalpha", "startswith", "insert", "Delete", "__contains__"};

/// Counts what an operator is about to do with these inputs.
void count_inputs(std::string_view name, Inputs inputs) {
  std::int64_t items = 0;
  for (const IValue& input : inputs) {
    if (!input.isTensor()) {
      items += items_in(input);
    } else if (name == "tolist") {
      items += input.toTensor().numel();
    }
  }
  const bool only_reads = std::find(kReaders.begin(), kReaders.end(), name) != kReaders.end();
  take(only_reads ? items / 16 : items);
  // LibTorch compares the text that is searched for at each place of the other.
  static constexpr std::array<std::string_view, 7> kSearches{
      "find", "rfind", "count", "replace", "split", "__contains__", "index"};
  const bool searches = std::find(kSearches.begin(), kSearches.end(), name) != kSearches.end();
  if (searches && inputs.size() > 1 && inputs[0].isString() && inputs[1].isString()) {
    take(items_in(inputs[0]) * items_in(inputs[1]));
  }
  const std::int64_t made = made_items(name, inputs);
  if (made > kLongestText / 16 && name != "mul" && name != "rangelist") {
    throw std::runtime_error(fmt::format(
        "a text here may have more than {} million bytes, the most", kLongestText / kMillion));
  }
  take(made);
  const std::int64_t parts = parts_made(name, inputs);
  if (parts > kMostParts) {
    throw std::runtime_error(
        fmt::format("{}() would make {} tensors here, and may make {}", name, parts, kMostParts));
  }
  take(parts * kStepsOfCall);
}

// --- the nodes that count

c10::Symbol steps_node() {
  static const auto symbol = c10::Symbol::fromQualString("knead::steps");
  return symbol;
}

c10::Symbol inputs_node() {
  static const auto symbol = c10::Symbol::fromQualString("knead::inputs");
  return symbol;
}

void register_counters() {
  const auto steps = [](const Node* node) -> torch::jit::Operation {
    return [steps = node->i(c10::attr::value)](Stack&) { take(steps); };
  };
  const auto inputs = [](const Node* node) -> torch::jit::Operation {
    return [name = node->s(c10::attr::name), count = node->inputs().size()](Stack& stack) {
      const Stack given(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
      torch::jit::drop(stack, count);
      count_inputs(name, given);
    };
  };
  using torch::jit::Operator;
  constexpr auto kAlias = c10::AliasAnalysisKind::CONSERVATIVE;
  static const torch::jit::RegisterOperators once(
      {Operator("knead::steps() -> ()", steps, kAlias),
       Operator("knead::inputs(...) -> ()", inputs, kAlias)});
}

bool is_of_tensors(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::TensorType) return true;
  const bool holds = type.kind() == c10::TypeKind::ListType ||
                     type.kind() == c10::TypeKind::TupleType ||
                     type.kind() == c10::TypeKind::OptionalType;
  const auto parts = type.containedTypes();
  return holds && std::any_of(parts.begin(), parts.end(),
                              [](const auto& part) { return is_of_tensors(*part); });
}

/// Returns the steps of what makes values on the heap; an operator on tensors is a call.
std::int64_t steps_of(const Node& node) {
  static const std::map<std::string_view, std::int64_t> kSteps = {
      {"append", 2},         {"_set_item", 8},    {"ListConstruct", 6}, {"DictConstruct", 12},
      {"TupleConstruct", 6}, {"CreateObject", 8}, {"str", 6},           {"format", 12},
      {"add_", 2},           {"insert", 2}};
  if (node.kind() == c10::prim::Constant) return 0;
  const auto known = kSteps.find(node.kind().toUnqualString());
  if (known != kSteps.end() && node.inputs().size() < 64) return known->second;
  const auto is_tensor = [](const Value* value) { return is_of_tensors(*value->type()); };
  const auto outputs = node.outputs();
  const bool calls = (node.kind().is_aten() || node.kind().is_user()) &&
                     std::any_of(outputs.begin(), outputs.end(), is_tensor);
  return calls ? kStepsOfCall : 1 + static_cast<std::int64_t>(node.inputs().size());
}

/// Returns the steps of one pass through a block without the loops in it, which count themselves.
std::int64_t steps_in(const Block& block) {
  std::int64_t steps = 1;
  for (const Node* node : block.nodes()) {
    steps += steps_of(*node);
    if (node->kind() == c10::prim::Loop) continue;
    for (const Block* inner : node->blocks()) steps += steps_in(*inner);
  }
  return steps;
}

/// Returns whether a list that the code writes out is made longer later.
bool grows(const Value& list) {
  static constexpr std::array<std::string_view, 4> kGrowth{"append", "extend", "insert", "add_"};
  return std::any_of(list.uses().begin(), list.uses().end(), [](const torch::jit::Use& use) {
    const std::string_view name = use.user->kind().toUnqualString();
    return std::find(kGrowth.begin(), kGrowth.end(), name) != kGrowth.end();
  });
}

/// Returns whether a value may be long: a list, a dict or a text that the code around does not
/// write out.
bool may_be_long(const Value& value) {
  const auto kind = value.type()->kind();
  const bool has_length = kind == c10::TypeKind::ListType || kind == c10::TypeKind::StringType ||
                          kind == c10::TypeKind::DictType || kind == c10::TypeKind::AnyType;
  const auto maker = value.node()->kind();
  if (maker == c10::prim::ListConstruct) return grows(value);
  return has_length && maker != c10::prim::Constant && maker != c10::aten::size;
}

bool makes_by_number(const Node& node) {
  static constexpr std::array<std::string_view, 8> kNames{
      "rangelist", "tolist", "ljust", "rjust", "center", "zfill", "expandtabs", "mul"};
  const std::string_view name = node.kind().toUnqualString();
  if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) return false;
  const auto kind =
      node.outputs().empty() ? c10::TypeKind::NoneType : node.output(0)->type()->kind();
  return name == "tolist" || kind == c10::TypeKind::ListType || kind == c10::TypeKind::StringType;
}

bool divides(const Node& node) {
  if (!node.kind().is_aten() || node.outputs().size() != 1) return false;
  const auto list = node.output()->type()->cast<c10::ListType>();
  return list && list->getElementType()->kind() == c10::TypeKind::TensorType;
}

/// Returns whether what a node does may take as long as its inputs are.
bool needs_count(const Node& node) {
  const auto kind = node.kind();
  const bool moves = kind == c10::prim::ListUnpack || kind == c10::prim::Loop ||
                     kind == c10::prim::If || kind == c10::prim::TupleConstruct ||
                     kind == c10::prim::ListConstruct || kind == c10::prim::SetAttr ||
                     kind == c10::prim::unchecked_cast || kind == c10::aten::append ||
                     kind == c10::aten::_set_item || kind == c10::prim::isinstance ||
                     kind == c10::aten::len || kind == c10::aten::__getitem__;
  if (moves) return false;
  const auto inputs = node.inputs();
  return makes_by_number(node) || divides(node) ||
         ((kind.is_aten() || kind.is_prim()) &&
          std::any_of(inputs.begin(), inputs.end(),
                      [](const Value* value) { return may_be_long(*value); }));
}

void give_place(Node& node, const Node& of) {
  node.setSourceRange(of.sourceRange());
  if (const auto stack = of.callstack()) node.setCallStack(*stack);
}

void bound(Graph& graph, Block& block) {
  for (Node* node : block.nodes()) {
    for (Block* inner : node->blocks()) bound(graph, *inner);
    if (node->kind() == c10::prim::Loop) {
      Block& body = *node->blocks().front();
      Node* const count = graph.create(steps_node(), {}, 0);
      count->i_(c10::attr::value, steps_in(body));
      give_place(*count, *node);
      body.prependNode(count);
    } else if (needs_count(*node)) {
      Node* const count = graph.create(inputs_node(), node->inputs(), 0);
      count->s_(c10::attr::name, node->kind().toUnqualString());
      give_place(*count, *node);
      count->insertBefore(node);
    }
  }
}

}  // namespace

void bound_steps(Graph& graph) {
  register_counters();
  bound(graph, *graph.block());
}

void allow_steps(const std::vector<IValue>& inputs) {
  std::int64_t longest = 0;
  for (const IValue& input : inputs) {
    if (!input.isTensor() || !input.toTensor().defined()) continue;
    for (const std::int64_t size : input.toTensor().sizes()) longest = std::max(longest, size);
  }
  allowed = left = kLeast + longest * kCallsOfItem * kStepsOfCall;
}

}  // namespace knead::engine::model
