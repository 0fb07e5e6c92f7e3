#include "runner/engine/model/module/model.h"

#include <unordered_map>
#include <utility>

#include <ATen/record_function.h>

#include "runner/engine/model/explain/failing_call.h"
#include "runner/engine/model/explain/machine_failure.h"
#include "runner/engine/model/explain/run_error.h"
#include "runner/engine/model/module/backward_error.h"
#include "runner/engine/model/module/failing_layer.h"
#include "runner/engine/model/module/inlined.h"
#include "runner/engine/model/module/known_causes.h"
#include "runner/engine/model/module/run_bounds.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/module/unit_calls.h"
#include "runner/syntax/refusal.h"

namespace knead::engine::model {
namespace {

using torch::jit::Module;

/// Lists tensors by dotted name in the order of nn.Module: parameters of a module precede those of
/// its children. A tensor with several names is listed under the first.
class TensorList {
 public:
  explicit TensorList(Model::Parts& parts) : parts_(parts) {}

  void add(const Module& module, const std::string& prefix) {
    const auto type = module.type();
    for (std::size_t i = 0; i < type->numAttributes(); ++i) {
      if (is_weight(*type, i) && module._ivalue()->getSlot(i).isTensor()) {
        add_tensor(module, i, prefix + type->getAttributeName(i));
      }
    }
    for (std::size_t i = 0; i < type->numAttributes(); ++i) {
      if (!type->getAttribute(i)->is_module()) continue;
      add(module._ivalue()->getSlot(i).toModule(), prefix + type->getAttributeName(i) + ".");
    }
  }

 private:
  void add_tensor(const Module& module, std::size_t slot, std::string name) {
    const at::Tensor tensor = module._ivalue()->getSlot(slot).toTensor();
    if (!tensor.defined()) return;
    // Tied weights are one tensor object under several names.
    const auto [first, is_new] = names_.emplace(tensor.getIntrusivePtr().get(), name);
    const auto type = module.type();
    if (!is_new) {
      parts_.aliases.push_back({std::move(name), first->second});
    } else if (type->is_parameter(slot)) {
      parts_.parameters.push_back({std::move(name), tensor});
    } else {
      parts_.buffers.push_back({std::move(name), tensor, type->is_buffer(slot)});
      parts_.buffer_slots.emplace_back(module._ivalue(), slot);
    }
  }

  Model::Parts& parts_;
  std::unordered_map<const void*, std::string> names_;  // by tensor
};

std::vector<Input> inputs_of(const Module& module) {
  std::vector<Input> inputs;
  const auto& arguments = module.get_method("forward").function().getSchema().arguments();
  for (std::size_t i = 1; i < arguments.size(); ++i) {  // the first is self
    inputs.push_back(
        {arguments[i].name(), arguments[i].default_value(), arguments[i].type()->annotation_str()});
  }
  return inputs;
}

}  // namespace

std::unique_ptr<Model::Parts> take_apart(Module module) {
  auto parts = std::make_unique<Model::Parts>();
  parts->module = std::move(module);
  TensorList(*parts).add(parts->module, "");
  parts->inputs = inputs_of(parts->module);
  parts->attributes = find_attributes(parts->module);
  return parts;
}

std::unique_ptr<Model> as_model(Module module) {
  return std::make_unique<Model>(take_apart(std::move(module)));
}

Model::Model(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Model::~Model() = default;

const NamedTensors& Model::parameters() const { return parts_->parameters; }

// A method may replace a buffer by `self.mean = …`, so the list is updated from the slots.
const std::vector<Buffer>& Model::buffers() const {
  for (std::size_t i = 0; i < parts_->buffers.size(); ++i) {
    const auto& [object, slot] = parts_->buffer_slots[i];
    const c10::IValue now = object->getSlot(slot);
    if (now.isTensor()) parts_->buffers[i].tensor = now.toTensor();
  }
  return parts_->buffers;
}

const std::vector<Alias>& Model::aliases() const { return parts_->aliases; }
const std::vector<Input>& Model::inputs() const { return parts_->inputs; }
const std::vector<std::shared_ptr<const schema::Source>>& Model::sources() const {
  return parts_->sources;
}
const std::vector<std::string>& Model::warnings() const { return parts_->warnings; }
bool Model::is_interpreted() const { return parts_->interpreter != nullptr; }

namespace {

/// Returns the message of an error without LibTorch's backtrace.
std::string cause_of(const std::exception& error) {
  const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
  return of_torch ? of_torch->what_without_backtrace() : error.what();
}

/// Throws an error of forward. One without a frame in a user file, such as a failed unpacking, is
/// reported at the return of forward.
[[noreturn]] void throw_forward_error(const std::string& text, const Model::Parts& parts,
                                      const Reword& reword) {
  try {
    throw_run_error(text, parts.sources, reword);
  } catch (const syntax::Refusal&) {
    throw;
  } catch (const Error& error) {
    if (!parts.returns_at) throw;
    throw syntax::Refusal("model-failed", parts.returns_at, error.what(), error.remedy());
  }
}

/// Runs forward as Module::forward() does, but the inlined code.
c10::IValue run_forward(Model::Parts& parts, std::vector<c10::IValue> inputs) {
  if (!parts.inlined_forward) return parts.module.forward(std::move(inputs));
  allow_steps(inputs);
  inputs.insert(inputs.begin(), parts.module._ivalue());
  RECORD_TORCHSCRIPT_FUNCTION("forward", inputs);
  parts.module.get_method("forward").function().getSchema().checkAndNormalizeInputs(inputs);
  parts.inlined_forward->run(inputs);
  return std::move(inputs.front());
}

}  // namespace

void Model::prepare() {
  torch::jit::Function& forward = parts_->module.get_method("forward").function();
  if (forward.isGraphFunction()) parts_->inlined_forward = inlined(forward);
}

c10::IValue Model::forward(std::vector<c10::IValue> inputs) {
  // The inputs are copied and not moved, because the call is repeated under observation if it
  // fails.
  const auto reword = [&](const std::string& cause) -> Explanation {
    if (const auto known = explain_in_any_layer(cause)) return *known;
    const auto call = find_failing_call([&] { run_forward(*parts_, inputs); });
    return call ? explain(*call, cause, *parts_) : explain(cause);
  };
  // No graph calls the model itself, whose calls are reported here.
  Watcher* const watcher = parts_->watcher;
  try {
    if (watcher) watcher->entered(0);
    if (!parts_->inlined_forward && !parts_->interpreter) prepare();
    if (parts_->unit_calls) parts_->unit_calls->need(0);
    c10::IValue result = run_forward(*parts_, inputs);
    if (watcher) watcher->left(0, result);
    return result;
  } catch (const syntax::Refusal& refusal) {
    // An interpreted forward knows its place.
    throw_if_machine_failed(refusal.problem().message, parts_->sources);
    throw;
  } catch (const std::exception& error) {
    rethrow_failed_unit_call();
    const std::string text = cause_of(error);
    throw_if_machine_failed(text, parts_->sources);
    throw_forward_error(text, *parts_, reword);
  }
}

const schema::Place& Model::returns_at() const { return parts_->returns_at; }

void Model::backward(const at::Tensor& loss, const std::function<void()>& pass) const {
  if (!loss.requires_grad()) throw_nothing_to_learn(*parts_);
  try {
    pass();
  } catch (const c10::Error& error) {
    rethrow_failed_unit_call();
    const std::string text = cause_of(error);
    throw_if_machine_failed(text, parts_->sources);
    throw_backward_error(text, *parts_);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    rethrow_failed_unit_call();
    // Compiled code failed: the backward of a torch.autograd.Function.
    throw_if_machine_failed(error.what(), parts_->sources);
    throw_forward_error(error.what(), *parts_,
                        [](const std::string& cause) { return explain(cause); });
  }
}

void Model::train(bool on) {
  parts_->module.train(on);
  for (torch::jit::Module& module : parts_->contrary[on ? 1 : 0]) module.setattr("training", !on);
}

void Model::keep_modes(const ContraryModes& modes) {
  for (const auto& named : parts_->module.named_modules()) {
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), named.name) != names.end();
    };
    if (is_in(modes.in_evaluation)) parts_->contrary[0].push_back(named.value);
    if (is_in(modes.in_training)) parts_->contrary[1].push_back(named.value);
  }
  train(true);
}

}  // namespace knead::engine::model
