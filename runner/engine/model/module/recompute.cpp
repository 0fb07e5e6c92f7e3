#include <fmt/format.h>

#include <set>

#include "runner/engine/model/module/function_node.h"
#include "runner/engine/model/module/module_operator.h"
#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/module/segment.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

using torch::jit::Module;

/// Returns the buffers and attributes that a module and its submodules may change.
std::vector<ModuleSlot> slots_in(const Module& module, const Model::Parts& parts) {
  std::set<const void*> objects;
  for (const Module& each : module.modules()) objects.insert(each._ivalue().get());
  std::vector<ModuleSlot> slots;
  for (const auto& [object, slot] : parts.buffer_slots) {
    if (objects.count(object.get()) > 0) slots.push_back({object, slot});
  }
  for (const auto& place : parts.attributes) {
    if (objects.count(place.object.get()) > 0) slots.push_back({place.object, place.slot});
  }
  return slots;
}

}  // namespace

void Model::recompute(const std::vector<std::string>& paths) {
  if (parts_->interpreter && !paths.empty()) {
    throw_needs_compiler(*parts_, "activation_checkpointing computes compiled modules again");
  }
  // Only one model of a process can use activation checkpointing.
  clear_repeated();
  for (const std::string& path : paths) {
    const Module module = module_at(parts_->module, path);
    set_repeated(module._ivalue().get(),
                 std::make_shared<RepeatedModule>(RepeatedModule{path, slots_in(module, *parts_)}));
  }
  use_module_operator(*parts_);
}

void Model::check_archive() const {
  if (parts_->interpreter)
    throw_needs_compiler(*parts_, "a TorchScript archive is a compiled model");
  const std::string function = applied_function(parts_->module);
  if (function.empty()) return;
  throw Error(fmt::format("a TorchScript archive cannot hold '{}': only knead computes the "
                          "gradient of a torch.autograd.Function",
                          function),
              "Export the weights: to: safetensors.");
}

// An archive must not contain knead::call, which only this process defines, so plain calls are
// written. Functions that already ran execute their own optimised graphs and do not change.
void Model::save(std::ostream& out) const {
  check_archive();
  if (!parts_->has_own_calls) return parts_->module.save(out);
  use_plain_calls(*parts_);
  parts_->module.save(out);
  use_module_operator(*parts_);
}

}  // namespace knead::engine::model
