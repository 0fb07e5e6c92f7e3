#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/core/ivalue.h>

namespace knead::engine {

/// Returns the floating-point operations of one call of an operator, multiplications and additions
/// each counted as one, computed from its inputs. Knows products of matrices, convolutions,
/// attention and fused recurrent layers; std::nullopt for all other operators.
std::optional<double> operator_work(std::string_view name, c10::ArrayRef<const c10::IValue> inputs);

/// Returns whether an operator may take much work for which operator_work() has no formula: FFT,
/// linear algebra and others, and all operators from outside LibTorch.
bool is_unknown_work(std::string_view name);

/// Counts the floating-point operations of this thread during its lifetime. Operators that a
/// counted operator calls are not counted again. One instance per thread at a time.
class WorkCount {
 public:
  WorkCount();
  ~WorkCount();
  WorkCount(const WorkCount&) = delete;
  WorkCount& operator=(const WorkCount&) = delete;

  /// Returns the multiplications and additions so far, each counted as one.
  double total() const { return total_; }

  /// Returns the operators that total() lacks although they may take much work, without their
  /// namespace, and the number of their calls.
  const std::map<std::string, int>& unknown() const { return unknown_; }

 private:
  struct Calls;  // callbacks of LibTorch

  double total_ = 0;
  std::map<std::string, int> unknown_;
  int within_ = 0;  // depth of counted operators that have not returned
  std::uint64_t handle_;
};

}  // namespace knead::engine
