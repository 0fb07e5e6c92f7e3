#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/core/ivalue.h>

namespace knead::engine {

/// Returns the floating-point operations of one call of an operator, multiplications and additions
/// each counted as one, computed from the shapes of its inputs: a product (m, k) × (k, n) is
/// 2·m·k·n. Knows products of matrices, convolutions, attention and fused recurrent layers, forward
/// and backward; std::nullopt for all other operators. `name` is qualified, "aten::mm"; `inputs`
/// are those of its schema. Masked positions of attention count.
std::optional<double> operator_work(std::string_view name, c10::ArrayRef<const c10::IValue> inputs);

/// Returns into how many parts, one after another, an operator divides its work: the time steps of
/// a fused recurrent layer; 1 for all other operators.
std::int64_t parts_of_work(std::string_view name, c10::ArrayRef<const c10::IValue> inputs);

/// Returns whether an operator may take much work for which operator_work() has no formula: FFT,
/// linear algebra and others, and all operators from outside LibTorch. `name` is qualified.
bool is_unknown_work(std::string_view name);

/// Counts the floating-point operations of this thread during its lifetime. Operators that a
/// counted operator calls are not counted again. Several instances may count at a time. An instance
/// must be destroyed on its own thread; operators of other threads, such as those of the backward
/// pass on a GPU, are not counted.
class WorkCount {
 public:
  /// Leaves operators out whose parts are each less work than `least`, in floating-point
  /// operations; 0 counts all.
  explicit WorkCount(double least = 0);
  ~WorkCount();
  WorkCount(const WorkCount&) = delete;
  WorkCount& operator=(const WorkCount&) = delete;

  /// Returns the multiplications and additions so far, each counted as one.
  double total() const { return total_; }

  /// Returns the operators that total() lacks although they may take much work, without their
  /// namespace, and the number of their calls. Empty if total() is complete.
  const std::map<std::string, int>& unknown() const { return unknown_; }

 private:
  struct Calls;  // callbacks of LibTorch

  /// Counts an operator whose parts are each `part` work.
  void add(double work, double part);

  double least_;
  double total_ = 0;
  std::map<std::string, int> unknown_;
};

}  // namespace knead::engine
