#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine::optimize {

/// Computes Σ x² over tensors in host memory, in double. Its partial sums have fixed borders and
/// are added in order, so that the bits are the same for any number of threads.
class SumOfSquares {
 public:
  /// Returns whether add() accepts a tensor: float32 or float64, on the CPU, without gaps.
  static bool takes(const at::Tensor& tensor);

  /// Removes all tensors.
  void clear() { parts_.clear(); }

  /// Adds a tensor, which must live until total() returns.
  void add(const at::Tensor& tensor);

  /// Returns the sum over all added tensors; uses several threads if they are large.
  double total();

 private:
  /// Describes the numbers of one partial sum.
  struct Part {
    const void* first;
    std::int64_t count;
    bool is_double;
  };

  std::vector<Part> parts_;
  std::vector<double> sums_;  // by part; both keep their capacity
};

}  // namespace knead::engine::optimize
