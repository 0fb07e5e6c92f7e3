#include <ATen/core/ivalue.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kSaved = "saved_tensors";  // the names of FunctionCtx in the layer file

/// One call of apply(), which autograd keeps for backward.
struct AppliedSource : torch::CustomClassHolder {
  Evaluator* evaluator = nullptr;
  std::shared_ptr<Class> type;
  std::shared_ptr<Object> context;
  Values arguments;                 // empty after forward
  std::size_t count = 0;            // of arguments
  c10::Device device{c10::kCPU};    // of the first tensor among them
  std::vector<std::size_t> places;  // of the tensors among the arguments
  Value result;                     // None after apply()
  std::vector<bool> is_tensor;      // for each result
};

using AppliedPtr = c10::intrusive_ptr<AppliedSource>;

/// Returns the results of forward or backward one by one.
Values results_of(const Value& result) {
  const auto* tuple = as<Tuple>(result);
  return tuple ? (*tuple)->items : Values{result};
}

/// Returns the tensors of the context under a name, and deletes them there: a saved result would
/// hold its node, and the node the context.
variable_list take_tensors(AppliedSource& call, const char* name) {
  variable_list tensors;
  const Value kept = call.evaluator->attribute(call.context, name);
  for (const Value& item : call.evaluator->items(kept)) {
    const auto* tensor = std::get_if<at::Tensor>(&item);
    if (!tensor && !is_none(item)) {
      throw Mistake::of("TypeError",
                        fmt::format("save_for_backward can only save tensors, and not {}",
                                    call.evaluator->repr(item)));
    }
    tensors.push_back(tensor ? *tensor : at::Tensor());
  }
  call.evaluator->set_attribute(call.context, name, make_tuple({}));
  return tensors;
}

Value run_forward(AppliedSource& call) {
  Evaluator& evaluator = *call.evaluator;
  const Value forward = evaluator.attribute(call.type, "forward");
  const Value setup = evaluator.attribute(call.type, "setup_context");
  Arguments arguments{std::move(call.arguments), {}};
  if (!is_none(setup)) {
    const Value result = evaluator.call(forward, arguments);
    evaluator.call(setup, {{call.context, make_tuple(arguments.positional), result}, {}});
    return result;
  }
  arguments.positional.insert(arguments.positional.begin(), call.context);
  return evaluator.call(forward, arguments);
}

/// Returns the gradients that backward returned, one for each tensor among the arguments.
variable_list gradients_of(const AppliedSource& call, const Value& result) {
  Values all = results_of(result);
  while (all.size() > call.count && is_none(all.back())) all.pop_back();
  if (all.size() != call.count) {
    throw Mistake::of("RuntimeError",
                      fmt::format("backward of '{}' returns {} gradients for {} arguments",
                                  call.type->name, all.size(), call.count));
  }
  variable_list gradients;
  for (const std::size_t place : call.places) {
    const auto* gradient = std::get_if<at::Tensor>(&all[place]);
    if (!gradient && !is_none(all[place])) {
      throw Mistake::of("TypeError",
                        fmt::format("backward of '{}' returns {} for argument {}, and not a Tensor",
                                    call.type->name, call.evaluator->repr(all[place]), place + 1));
    }
    gradients.push_back(gradient ? *gradient : at::Tensor());
  }
  return gradients;
}

variable_list run_backward(AppliedSource& call, const variable_list& gradients) {
  Arguments arguments{{call.context}, {}};
  std::size_t next = 0;
  for (const bool is_tensor : call.is_tensor) {
    const at::Tensor gradient = is_tensor ? gradients.at(next++) : at::Tensor();
    arguments.positional.push_back(gradient.defined() ? Value(gradient) : None{});
  }
  const Value backward = call.evaluator->attribute(call.type, "backward");
  return gradients_of(call, call.evaluator->call(backward, arguments));
}

/// Runs `work` for a call whose forward ended: autograd calls backward while no source runs, unless
/// forward itself computes gradients.
variable_list resumed(AppliedSource& call, const std::function<variable_list()>& work) {
  if (call.evaluator->is_running()) return work();
  call.evaluator->begin_anew();
  const ComputeDevice device(call.device);
  const Value* backward = call.type->find("backward");
  const auto* shown = backward ? as<Function>(*backward) : nullptr;
  if (!shown) shown = as<Function>(*call.type->find("forward"));
  return call.evaluator->in_file(*(*shown)->file, (*shown)->definition->name_range, work);
}

/// The node of autograd for every torch.autograd.Function of source.
struct SourceFunction : torch::autograd::Function<SourceFunction> {
  static variable_list forward(AutogradContext* autograd, const AppliedPtr& call,
                               at::TensorList tensors) {
    Values needs(call->count, false);
    for (std::size_t i = 0; i < tensors.size(); ++i)
      needs[call->places[i]] = tensors[i].requires_grad();
    call->evaluator->set_attribute(call->context, "needs_input_grad", make_tuple(std::move(needs)));
    call->result = run_forward(*call);
    variable_list results;
    for (const Value& item : results_of(call->result)) {
      const auto* tensor = std::get_if<at::Tensor>(&item);
      call->is_tensor.push_back(tensor != nullptr);
      if (tensor) results.push_back(*tensor);
    }
    autograd->save_for_backward(take_tensors(*call, kSaved));
    autograd->mark_dirty(take_tensors(*call, "dirty"));
    autograd->mark_non_differentiable(take_tensors(*call, "non_differentiable"));
    autograd->set_materialize_grads(
        call->evaluator->truth(call->evaluator->attribute(call->context, "materialize_grads")));
    autograd->saved_data["call"] = c10::IValue::make_capsule(call);
    return results;
  }

  static variable_list backward(AutogradContext* autograd, const variable_list& gradients) {
    const auto call =
        c10::static_intrusive_pointer_cast<AppliedSource>(autograd->saved_data["call"].toCapsule());
    Values saved;
    for (const at::Tensor& tensor : autograd->get_saved_variables())
      saved.push_back(tensor.defined() ? Value(tensor) : None{});
    call->evaluator->set_attribute(call->context, kSaved, make_tuple(std::move(saved)));
    variable_list result = resumed(*call, [&] { return run_backward(*call, gradients); });
    call->evaluator->set_attribute(call->context, kSaved, make_tuple({}));
    result.insert(result.begin(), at::Tensor());  // of the first argument of forward(), the call
    return result;
  }
};

/// Applies a torch.autograd.Function: its class, a context, and the arguments.
Value apply_function(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("_apply_function", arguments, {"type", "context", "arguments"}, 3);
  if (!as<Class>(bound[0]) || !as<Object>(bound[1]) || !as<Tuple>(bound[2])) {
    throw Mistake("only torch.autograd.Function.apply() calls this");
  }
  const auto call = c10::make_intrusive<AppliedSource>();
  call->evaluator = &evaluator;
  call->type = *as<Class>(bound[0]);
  call->context = *as<Object>(bound[1]);
  call->arguments = (*as<Tuple>(bound[2]))->items;
  call->count = call->arguments.size();
  variable_list tensors;
  for (std::size_t i = 0; i < call->count; ++i) {
    const auto* tensor = std::get_if<at::Tensor>(&call->arguments[i]);
    if (!tensor) continue;
    tensors.push_back(*tensor);
    call->places.push_back(i);
  }
  if (!tensors.empty()) call->device = tensors[0].device();
  variable_list results = SourceFunction::apply(call, at::TensorList(tensors));
  Values items = results_of(call->result);
  std::size_t next = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (call->is_tensor[i]) items[i] = results[next++];
  }
  const bool is_tuple = as<Tuple>(call->result) != nullptr;
  call->result = None{};
  return is_tuple ? make_tuple(std::move(items)) : items[0];
}

variable_list tensors_of(Evaluator& evaluator, const Value& values) {
  variable_list tensors;
  for (const Value& value : evaluator.items(values)) {
    const auto* tensor = std::get_if<at::Tensor>(&value);
    if (!tensor && !is_none(value)) {
      throw Mistake::of("TypeError", fmt::format("expected a Tensor and got {}", type_name(value)));
    }
    tensors.push_back(tensor ? *tensor : at::Tensor());
  }
  return tensors;
}

/// Implements torch.autograd.grad() with tuples of the same lengths as outputs and inputs.
Value gradients(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound(
      "_gradients_of", arguments,
      {"outputs", "inputs", "grad_outputs", "retain_graph", "create_graph", "allow_unused"}, 6);
  const variable_list found =
      torch::autograd::grad(tensors_of(evaluator, bound[0]), tensors_of(evaluator, bound[1]),
                            tensors_of(evaluator, bound[2]), bound.flag(3, false),
                            bound.flag(4, false), bound.flag(5, false));
  Values items;
  for (const at::Tensor& tensor : found) items.push_back(tensor.defined() ? Value(tensor) : None{});
  return make_tuple(std::move(items));
}

}  // namespace

void add_custom_gradients(Evaluator& evaluator) {
  add_function(evaluator, "_apply_function", apply_function);
  add_function(evaluator, "_gradients_of", gradients);
}

}  // namespace knead::engine::model
