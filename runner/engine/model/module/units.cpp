#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/jit/ir/ir.h>

#include "runner/engine/model/module/graphs.h"
#include "runner/engine/model/module/module_operator.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/module/unit_calls.h"
#include "runner/syntax/refusal.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

using c10::IValue;
using torch::autograd::variable_list;
using torch::jit::Block;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

/// The units of the model that is divided, by module object. LibTorch resolves operators by name,
/// so their state is global.
struct Units {
  std::unordered_map<const void*, std::size_t> numbers;
  std::shared_ptr<UnitCalls> calls;
};

Units& the_units() {
  static Units units;
  return units;
}

/// Passes gradients on, and tells when they arrive.
struct Passing final : torch::autograd::Node {
  std::function<void()> then;

  variable_list apply(variable_list&& gradients) override {
    then();
    return std::move(gradients);
  }
  std::string name() const override { return "UnitOfModel"; }
};

using Change = std::function<at::Tensor(const at::Tensor&)>;

/// Returns a value with each tensor in it replaced, through tuples, lists and dicts.
IValue with_tensors(const IValue& value, const Change& change) {
  if (value.isTensor()) return change(value.toTensor());
  if (value.isTuple()) {
    std::vector<IValue> items;
    for (const IValue& item : value.toTupleRef().elements())
      items.push_back(with_tensors(item, change));
    const auto type = value.type()->cast<c10::TupleType>();
    return type->schema() ? c10::ivalue::Tuple::createNamed(std::move(items), type)
                          : c10::ivalue::Tuple::create(std::move(items));
  }
  if (value.isList()) {
    const auto list = value.toList();
    auto copy = c10::impl::GenericList(list.elementType());
    for (const IValue& item : list) copy.push_back(with_tensors(item, change));
    return copy;
  }
  if (value.isGenericDict()) {
    const auto dict = value.toGenericDict();
    auto copy = c10::impl::GenericDict(dict.keyType(), dict.valueType());
    for (const auto& entry : dict) copy.insert(entry.key(), with_tensors(entry.value(), change));
    return copy;
  }
  return value;
}

/// Returns the tensors in a value that need a gradient.
variable_list trained_in(const IValue& value) {
  variable_list tensors;
  with_tensors(value, [&tensors](const at::Tensor& tensor) {
    if (tensor.defined() && tensor.requires_grad()) tensors.push_back(tensor);
    return tensor;
  });
  return tensors;
}

/// Returns a value whose gradients pass a node, which calls `then` when all of them have arrived.
IValue watched(const IValue& value, std::function<void()> then) {
  const variable_list tensors = trained_in(value);
  if (tensors.empty()) return value;
  const auto node = std::make_shared<Passing>();
  node->then = std::move(then);
  node->set_next_edges(torch::autograd::collect_next_edges(tensors));
  std::unordered_map<const void*, at::Tensor> passed;
  for (const at::Tensor& tensor : tensors) {
    at::Tensor same = tensor.detach();  // shares the version counter
    torch::autograd::set_history(same, node);
    passed.emplace(tensor.unsafeGetTensorImpl(), std::move(same));
  }
  return with_tensors(value, [&passed](const at::Tensor& tensor) {
    const auto found = passed.find(tensor.unsafeGetTensorImpl());
    return found == passed.end() ? tensor : found->second;
  });
}

/// Returns whether a call may change a value that the caller keeps: a list or a dict with tensors
/// that need a gradient.
bool is_shared_container(const IValue& value) {
  return (value.isList() || value.isGenericDict()) && !trained_in(value).empty();
}

/// The arguments of a call of a unit. Their gradients are the last that its backward computes.
class UnitArguments {
 public:
  /// Leaves the arguments as they are if the call may change them.
  UnitArguments(std::vector<IValue> values, std::function<void()> then)
      : values_(std::move(values)) {
    if (!c10::GradMode::is_enabled()) return;
    if (std::any_of(values_.begin(), values_.end(), is_shared_container)) return;
    const std::vector<IValue> rest(values_.begin() + 1, values_.end());  // the first is the module
    const IValue changed = watched(c10::ivalue::Tuple::create(rest), std::move(then));
    const auto& items = changed.toTupleRef().elements();
    std::copy(items.begin(), items.end(), values_.begin() + 1);
    for (const IValue& item : items)
      for (const at::Tensor& tensor : trained_in(item))
        versions_.emplace_back(tensor, tensor._version());
  }

  std::vector<IValue> take() { return std::move(values_); }

  /// Throws if the call has changed an argument in place: the caller would not see its gradient.
  void expect_unchanged() const {
    for (const auto& [tensor, version] : versions_) {
      if (tensor._version() == version) continue;
      throw Error("distributed.strategy zero3: a unit changes in place what it is given",
                  "write x = x + y for x += y, and leave out inplace=True, or take zero2");
    }
  }

 private:
  std::vector<IValue> values_;
  std::vector<std::pair<at::Tensor, std::uint32_t>> versions_;
};

/// Returns whether a value is a unit that code has reached from another module.
bool is_reached_unit(const Value& value, const std::set<const c10::Type*>& units) {
  return value.node()->kind() == c10::prim::GetAttr && units.contains(value.type().get());
}

/// Returns whether a value was reached through a unit.
bool is_within_unit(const Value& value, const std::set<const c10::Type*>& units) {
  for (const Value* at = &value; at->node()->kind() == c10::prim::GetAttr;
       at = at->node()->input(0))
    if (is_reached_unit(*at, units)) return true;
  return false;
}

/// Returns where the user's source has a node; an empty place for code of a layer or an archive.
schema::Place place_of(const Node& node, const Model::Parts& parts) {
  const torch::jit::SourceRange range = node.sourceRange();
  for (const auto& source : parts.sources) {
    if (range.source() && range.source()->filename() == source->name() && source->is_file())
      return {source, range.start(), range.end()};
  }
  return {};
}

/// Throws for code outside of units that uses what is in them other than by a call of the unit: the
/// weights are not there then.
void expect_calls_only(const Block& block, const std::set<const c10::Type*>& units,
                       const Model::Parts& parts) {
  for (const Node* node : block.nodes()) {
    for (const Block* inner : node->blocks()) expect_calls_only(*inner, units, parts);
    const bool reads =
        node->kind() == c10::prim::GetAttr && is_within_unit(*node->input(0), units) &&
        node->output()->type()->isSubtypeOf(*c10::OptionalType::create(c10::TensorType::get()));
    const bool calls = node->kind() == c10::prim::CallMethod &&
                       !is_reached_unit(*node->input(0), units) &&
                       is_within_unit(*node->input(0), units);
    if (!reads && !calls) continue;
    throw syntax::Refusal(
        "unit-not-called", place_of(*node, parts),
        fmt::format("distributed.strategy zero3: '{}' is used here without a call of the unit that "
                    "holds it, whose weights are not gathered then",
                    node->s(c10::attr::name)),
        "take zero2, or name other modules in distributed.units");
  }
}

std::set<const c10::Type*> types_of_units(const Module& root) {
  std::set<const c10::Type*> types;
  for (const Module& each : root.modules())
    if (unit_of(each._ivalue().get())) types.insert(each.type().get());
  return types;
}

}  // namespace

namespace {

/// The unit whose call this thread computes; 0 if none.
thread_local std::size_t running_unit = 0;

/// Sets the running unit of this thread for its lifetime.
class Running {
 public:
  explicit Running(std::size_t unit) : before_(std::exchange(running_unit, unit)) {}
  ~Running() { running_unit = before_; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  std::size_t before_;
};

}  // namespace

std::optional<std::size_t> unit_of(const void* object) {
  const auto found = the_units().numbers.find(object);
  if (found == the_units().numbers.end()) return std::nullopt;
  return found->second;
}

IValue call_unit(std::size_t unit, const Compute& compute, std::vector<IValue> arguments) {
  // A method of a unit may call another one of it.
  if (running_unit == unit) return compute(std::move(arguments));
  const Running here(unit);
  const std::shared_ptr<UnitCalls> calls = the_units().calls;
  calls->need(unit);
  UnitArguments given(std::move(arguments), [calls, unit] { calls->backward_done(unit); });
  IValue result = compute(given.take());
  given.expect_unchanged();
  if (c10::GradMode::is_enabled()) result = watched(result, [calls, unit] { calls->need(unit); });
  calls->forward_done(unit);
  return result;
}

void Model::divide(const std::vector<std::string>& paths, std::shared_ptr<UnitCalls> calls) {
  if (parts_->interpreter)
    throw_needs_compiler(*parts_, "distributed.strategy zero3 divides compiled modules");
  Units& units = the_units();
  units.numbers.clear();
  units.calls = keep_errors_of(std::move(calls));
  for (const std::string& path : paths)
    units.numbers.emplace(module_at(parts_->module, path)._ivalue().get(),
                          units.numbers.size() + 1);
  const auto types = types_of_units(parts_->module);
  for (const auto& graph : graphs_of(*parts_->module._ivalue()->compilation_unit()))
    expect_calls_only(*graph->block(), types, *parts_);
  use_module_operator(*parts_);
  parts_->inlined_forward.reset();  // of calls that gather nothing, if forward has run already
  parts_->unit_calls = units.calls;
}

}  // namespace knead::engine::model
