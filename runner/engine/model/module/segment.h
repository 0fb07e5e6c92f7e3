#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

namespace knead::engine::model {

/// Where a module keeps what its methods may change.
struct ModuleSlot {
  c10::intrusive_ptr<c10::ivalue::Object> object;
  std::size_t slot;
};

/// A module whose calls can be made twice.
struct RepeatedModule {
  std::string path;
  std::vector<ModuleSlot> state;  // the buffers and attributes in it that methods may change
};

/// A method, called with the module and its arguments.
using Method = std::function<c10::IValue(std::vector<c10::IValue>)>;

/// Calls a method without keeping what autograd saves within it. Backward calls it once more, with
/// the same arguments, generator, autocast and state, when it first needs any of that; whatever the
/// second call changes is put back. So all numbers are those of a plain call. For the thread that
/// runs backward too. Throws std::runtime_error where an argument was changed in place: the call
/// could not be repeated.
c10::IValue run_repeatably(std::shared_ptr<const RepeatedModule> module, Method method,
                           std::vector<c10::IValue> arguments);

/// Whether such a call is being made: those within it are a part of it.
bool is_within_repeated();

}  // namespace knead::engine::model
