#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/ivalue.h>

namespace knead::engine::model {

/// Is told when the weights of a unit of a model are needed, and when they are not needed any more.
/// Called on the thread that computes. Unit 0 is what is in no other unit.
class UnitCalls {
 public:
  virtual ~UnitCalls() = default;
  /// Called before the forward of a unit, and before the first of its functions in a backward. The
  /// weights may be there already.
  virtual void need(std::size_t unit) = 0;
  /// Called after the forward of a unit. Is not called for unit 0.
  virtual void forward_done(std::size_t unit) = 0;
  /// Called after the functions of a call in a backward, if an input of the call needed a gradient.
  virtual void backward_done(std::size_t unit) = 0;
};

/// Returns calls that pass everything on, and keep an error that is thrown.
std::shared_ptr<UnitCalls> keep_errors_of(std::shared_ptr<UnitCalls> calls);

/// Throws the error that was kept, if there is one: LibTorch, through which it came, may have made
/// an error of the model out of it.
void rethrow_failed_unit_call();

/// Computes the call of a unit.
using Compute = std::function<c10::IValue(std::vector<c10::IValue>)>;

/// Returns the unit of a module object; std::nullopt if the object is no unit.
std::optional<std::size_t> unit_of(const void* object);

/// Calls a unit: tells its UnitCalls before and after `compute`, and in backward. The numbers are
/// those of `compute`.
c10::IValue call_unit(std::size_t unit, const Compute& compute, std::vector<c10::IValue> arguments);

}  // namespace knead::engine::model
