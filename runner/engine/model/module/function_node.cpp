#include "runner/engine/model/module/function_node.h"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <ATen/core/stack.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/runtime/custom_operator.h>

#include "runner/engine/model/module/graphs.h"
#include "runner/engine/model/module/inlined.h"

namespace knead::engine::model {
namespace {

using c10::IValue;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using torch::jit::Node;
using torch::jit::Stack;

using FunctionPtr = std::shared_ptr<const CompiledFunction>;

c10::Symbol function_call() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("knead::function");
  return symbol;
}

c10::Symbol number_of_function() {
  static const c10::Symbol symbol = c10::Symbol::attr("number");
  return symbol;
}

/// All functions of the process by their number. LibTorch resolves operators by name, so the
/// functions are global; a node refers to one by its number.
std::vector<FunctionPtr>& the_functions() {
  static std::vector<FunctionPtr> functions;
  return functions;
}

std::mutex& lock_of_functions() {
  static std::mutex lock;
  return lock;
}

FunctionPtr function_at(std::int64_t number) {
  const std::lock_guard lock(lock_of_functions());
  return the_functions().at(static_cast<std::size_t>(number));
}

IValue run(torch::jit::Function& function, Stack stack) {
  kept_inlined(function).run(stack);
  return torch::jit::pop(stack);
}

/// Returns the tensors of a value: itself, or the items of a tuple or list. Other items are
/// undefined tensors.
variable_list tensors_of(const IValue& value) {
  const auto tensor_in = [](const IValue& item) {
    return item.isTensor() ? item.toTensor() : at::Tensor();
  };
  variable_list tensors;
  if (value.isTuple()) {
    for (const IValue& item : value.toTupleRef().elements()) tensors.push_back(tensor_in(item));
  } else if (value.isTensorList()) {
    for (const at::Tensor& item : value.toTensorVector()) tensors.push_back(item);
  } else {
    tensors.push_back(tensor_in(value));
  }
  return tensors;
}

/// One call of apply().
struct AppliedFunction {
  FunctionPtr function;
  Stack inputs;
  std::vector<std::size_t> places{};  // of the tensors among the arguments of apply()
  bool returns_tuple = false;
};

/// Takes an attribute of a context; None if it has no such attribute.
IValue take(const c10::intrusive_ptr<c10::ivalue::Object>& context, const char* name) {
  const auto slot = context->type()->findAttributeSlot(name);
  if (!slot) return {};
  IValue value = context->getSlot(*slot);
  context->setSlot(*slot, IValue());
  return value;
}

/// The node of autograd for every CompiledFunction.
struct ScriptedFunction : torch::autograd::Function<ScriptedFunction> {
  static variable_list forward(AutogradContext* autograd, AppliedFunction* call,
                               at::TensorList tensors) {
    const CompiledFunction& function = *call->function;
    const auto context = c10::ivalue::Object::create(
        c10::StrongTypePtr(function.context->compilation_unit(), function.context),
        function.context->numAttributes());
    c10::List<bool> needs;
    needs.resize(function.arguments, false);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      needs.set(call->places[i], tensors[i].requires_grad());
    }
    context->setAttr(kNeedsInputGrad, needs);
    const IValue result = run_forward(function, context, std::move(call->inputs));
    call->returns_tuple = result.isTuple();

    if (const IValue dirty = take(context, kDirty); !dirty.isNone()) {
      autograd->mark_dirty(tensors_of(dirty));
    }
    if (const IValue plain = take(context, kNonDifferentiable); !plain.isNone()) {
      autograd->mark_non_differentiable(tensors_of(plain));
    }
    // Autograd keeps the saved tensors: the context would hold a result and the result its node,
    // which holds the context.
    autograd->save_for_backward(tensors_of(take(context, kSavedTensors)));
    autograd->saved_data["context"] = context;
    autograd->saved_data["places"] =
        std::vector<std::int64_t>(call->places.begin(), call->places.end());
    autograd->saved_data["number"] = call_number(call->function);
    return tensors_of(result);
  }

  static variable_list backward(AutogradContext* autograd, variable_list gradients) {
    const FunctionPtr function = function_at(autograd->saved_data["number"].toInt());
    const auto context = autograd->saved_data["context"].toObject();
    restore_saved(context, autograd->get_saved_variables());
    Stack stack = arguments_of(*function->backward, std::move(gradients));
    stack.insert(stack.begin(), context);
    const variable_list all = tensors_of(run(*function->backward, std::move(stack)));
    take(context, kSavedTensors);
    variable_list result{at::Tensor()};  // of the first argument of forward(), the call
    for (const std::int64_t place : autograd->saved_data["places"].toIntVector()) {
      const auto index = static_cast<std::size_t>(place);
      result.push_back(index < all.size() ? all[index] : at::Tensor());
    }
    return result;
  }

 private:
  /// Returns the gradients as a backward takes them: one by one, or in the tuple of `*gradients`.
  static Stack arguments_of(torch::jit::Function& backward, variable_list gradients) {
    Stack all;
    for (at::Tensor& gradient : gradients) all.emplace_back(std::move(gradient));
    const auto& parameters = backward.getSchema().arguments();
    for (std::size_t i = 1; i < parameters.size(); ++i) {
      if (parameters[i].type()->kind() != c10::TypeKind::TupleType) continue;
      const auto rest = all.begin() + static_cast<std::ptrdiff_t>(i) - 1;
      IValue tuple = c10::ivalue::Tuple::create(std::vector<IValue>(rest, all.end()));
      all.erase(rest, all.end());
      all.push_back(std::move(tuple));
      break;
    }
    return all;
  }

  static IValue run_forward(const CompiledFunction& function,
                            const c10::intrusive_ptr<c10::ivalue::Object>& context, Stack inputs) {
    if (!function.setup) {
      inputs.insert(inputs.begin(), context);
      return run(*function.forward, std::move(inputs));
    }
    const IValue arguments = torch::jit::pop(inputs);
    const IValue result = run(*function.forward, std::move(inputs));
    run(*function.setup, {context, arguments, result});
    return result;
  }

  static void restore_saved(const c10::intrusive_ptr<c10::ivalue::Object>& context,
                            const variable_list& saved) {
    const auto slot = context->type()->findAttributeSlot(kSavedTensors);
    if (!slot) return;
    std::vector<IValue> items;
    for (const at::Tensor& one : saved) items.push_back(one.defined() ? IValue(one) : IValue());
    context->setSlot(*slot, c10::ivalue::Tuple::create(std::move(items)));
  }

  static std::int64_t call_number(const FunctionPtr& function) {
    const std::lock_guard lock(lock_of_functions());
    const auto& all = the_functions();
    return std::find(all.begin(), all.end(), function) - all.begin();
  }
};

/// Adds the tensors in an input and their positions.
void add_tensors(const IValue& input, std::size_t position, variable_list& tensors,
                 std::vector<std::size_t>& places) {
  if (input.isTensor()) {
    tensors.push_back(input.toTensor());
    places.push_back(position);
  } else if (input.isTuple()) {
    for (const IValue& item : input.toTupleRef().elements()) {
      add_tensors(item, position++, tensors, places);
    }
  }
}

void apply(const FunctionPtr& function, std::size_t count, Stack& stack) {
  AppliedFunction call{
      .function = function,
      .inputs = Stack(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end())};
  torch::jit::drop(stack, count);
  variable_list tensors;
  for (std::size_t i = 0; i < function->positions.size(); ++i) {
    add_tensors(call.inputs[i], function->positions[i], tensors, call.places);
  }
  variable_list results = ScriptedFunction::apply(&call, at::TensorList(tensors));
  if (!call.returns_tuple) {
    stack.emplace_back(std::move(results.at(0)));
    return;
  }
  std::vector<IValue> items;
  for (at::Tensor& result : results) items.emplace_back(std::move(result));
  stack.emplace_back(c10::ivalue::Tuple::create(std::move(items)));
}

void register_function_operator() {
  const auto operation = [](const Node* node) -> torch::jit::Operation {
    return [function = function_at(node->i(number_of_function())),
            count = node->inputs().size()](Stack& stack) { apply(function, count, stack); };
  };
  static const torch::jit::RegisterOperators once({torch::jit::Operator(
      "knead::function(...) -> Any", operation, c10::AliasAnalysisKind::CONSERVATIVE)});
}

const Node* function_node_in(const torch::jit::Block& block) {
  for (const Node* node : block.nodes()) {
    if (node->kind() == function_call()) return node;
    for (const torch::jit::Block* inner : node->blocks()) {
      if (const Node* found = function_node_in(*inner)) return found;
    }
  }
  return nullptr;
}

}  // namespace

Node* make_function_node(torch::jit::Graph& graph, FunctionPtr function,
                         at::ArrayRef<torch::jit::Value*> inputs) {
  register_function_operator();
  const std::lock_guard lock(lock_of_functions());
  the_functions().push_back(std::move(function));
  Node* node = graph.create(function_call(), inputs, 1);
  node->i_(number_of_function(), static_cast<std::int64_t>(the_functions().size()) - 1);
  return node;
}

std::string applied_function(const torch::jit::Module& module) {
  for (const auto& graph : graphs_of(*module._ivalue()->compilation_unit())) {
    if (const Node* node = function_node_in(*graph->block())) {
      return function_at(node->i(number_of_function()))->name;
    }
  }
  return "";
}

}  // namespace knead::engine::model
