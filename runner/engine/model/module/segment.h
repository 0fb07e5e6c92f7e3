#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

namespace knead::engine::model {

/// The location of an attribute that methods may change.
struct ModuleSlot {
  c10::intrusive_ptr<c10::ivalue::Object> object;
  std::size_t slot;
};

/// A module whose calls can be computed again. The state is what a call may change and a second
/// call must find as the first one did.
struct RepeatedModule {
  std::string path;
  std::vector<ModuleSlot> state;  // buffers and attributes that methods may change
};

/// A method; its first argument is the module. It may be called twice.
using Method = std::function<c10::IValue(std::vector<c10::IValue>)>;

/// Calls a method without the tensors that autograd saves within it. When backward first needs one
/// of them, it calls the method again with the same arguments, random generator, autocast and
/// module state, and restores the state afterwards, so all numbers equal those of a plain call.
/// This is the activation checkpointing of Chen et al., "Training Deep Nets with Sublinear Memory
/// Cost", 2016.
///
/// Safe on the thread that runs backward. The first call replaces LibTorch's autograd engine for
/// the rest of the process, because the hooks for saved tensors come from the engine. Throws
/// std::runtime_error if the method changes an argument in place, because the call could not be
/// repeated; backward throws knead::Error if an argument was changed afterwards or the second call
/// saves another number of tensors.
c10::IValue run_repeatably(std::shared_ptr<const RepeatedModule> module, Method method,
                           std::vector<c10::IValue> arguments);

/// Returns whether this thread is inside run_repeatably(); nested calls then belong to the outer
/// one.
bool is_within_repeated();

}  // namespace knead::engine::model
