#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine::optimize {

/// Computes Σ x² over tensors in host memory, in double. Its partial sums have fixed borders and
/// are added in order, so that the bits are the same for any number of threads. Call clear(), add()
/// for each tensor, then total(). Keeps its memory between sums. Used by one thread.
class SumOfSquares {
 public:
  /// Returns whether add() accepts a tensor: float32 or float64, on the CPU, without gaps in its
  /// memory.
  static bool takes(const at::Tensor& tensor);

  /// Removes all tensors.
  void clear() { parts_.clear(); }

  /// Adds a tensor, which takes() must accept and which must live until total() returns. Reads
  /// nothing yet.
  void add(const at::Tensor& tensor);

  /// Returns the sum over all added tensors, 0 without any; uses several threads if they are large.
  /// NaN or infinite if a number is, or if the sum overflows.
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
