#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/core/ivalue.h>

namespace knead::engine {

/// The multiplications and additions of one operator, as its inputs tell: of products of matrices,
/// convolutions, attention and fused recurrent layers. Nothing for operators that have no such
/// work, which are most.
std::optional<double> operator_work(std::string_view name, c10::ArrayRef<const c10::IValue> inputs);

/// Whether an operator may be much work, by a formula that is not known here.
bool is_unknown_work(std::string_view name);

/// Counts the work of the operators that this thread runs while it lives; an operator that others
/// are made of counts once. One at a time in a thread.
class WorkCount {
 public:
  WorkCount();
  ~WorkCount();
  WorkCount(const WorkCount&) = delete;
  WorkCount& operator=(const WorkCount&) = delete;

  /// Multiplications and additions so far, each counted as one.
  double total() const { return total_; }

  /// The operators that may be much work and are not in total(), and how often they ran.
  const std::map<std::string, int>& unknown() const { return unknown_; }

 private:
  struct Calls;  // what LibTorch calls

  double total_ = 0;
  std::map<std::string, int> unknown_;
  int within_ = 0;  // operators that were counted and have not returned
  std::uint64_t handle_;
};

}  // namespace knead::engine
