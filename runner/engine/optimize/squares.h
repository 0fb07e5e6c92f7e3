#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine::optimize {

/// Σ x² over tensors of host memory, in double. Its partial sums have fixed borders and are added
/// in order: the same bits for any number of threads.
class SquareSum {
 public:
  /// Whether add takes this tensor: float32 or float64, on the CPU, without gaps.
  static bool takes(const at::Tensor& tensor);

  /// Forgets all that was added.
  void clear() { parts_.clear(); }

  /// The tensor must live until total was called.
  void add(const at::Tensor& tensor);

  /// The sum of all that was added.
  double total();

 private:
  /// What one partial sum is over.
  struct Part {
    const void* first;
    std::int64_t count;
    bool is_double;
  };

  std::vector<Part> parts_;
  std::vector<double> sums_;  // of the parts; both keep their room
};

}  // namespace knead::engine::optimize
