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

/// A module whose calls can be computed again.
struct RepeatedModule {
  std::string path;
  std::vector<ModuleSlot> state;  // buffers and attributes that methods may change
};

/// A method; its first argument is the module.
using Method = std::function<c10::IValue(std::vector<c10::IValue>)>;

/// Calls a method without the tensors that autograd saves within it. When backward first needs one
/// of them, it calls the method again with the same arguments, random generator, autocast and
/// module state, and restores the state afterwards, so all numbers equal those of a plain call.
/// Safe on the thread that runs backward. Throws std::runtime_error if the method changes an
/// argument in place, because the call could not be repeated.
c10::IValue run_repeatably(std::shared_ptr<const RepeatedModule> module, Method method,
                           std::vector<c10::IValue> arguments);

/// Returns whether this thread is inside run_repeatably(); nested calls then belong to the outer
/// one.
bool is_within_repeated();

}  // namespace knead::engine::model
