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

/// Into how many parts, one after another, an operator divides its work: the time steps of a fused
/// recurrent layer; 1 for all others.
std::int64_t parts_of_work(std::string_view name, c10::ArrayRef<const c10::IValue> inputs);

/// Whether an operator may be much work, by a formula that is not known here.
bool is_unknown_work(std::string_view name);

/// Counts the work of the operators that this thread runs while it lives; an operator that others
/// are made of counts once. Several may count at a time.
class WorkCount {
 public:
  /// Leaves operators out whose parts are each less work than `least`.
  explicit WorkCount(double least = 0);
  ~WorkCount();
  WorkCount(const WorkCount&) = delete;
  WorkCount& operator=(const WorkCount&) = delete;

  /// Multiplications and additions so far, each counted as one.
  double total() const { return total_; }

  /// The operators that may be much work and are not in total(), and how often they ran.
  const std::map<std::string, int>& unknown() const { return unknown_; }

 private:
  struct Calls;  // what LibTorch calls

  /// Counts an operator whose parts are each `part` work.
  void add(double work, double part);

  double least_;
  double total_ = 0;
  std::map<std::string, int> unknown_;
};

}  // namespace knead::engine
