#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

namespace knead::engine::parallel {

/// An operation over ranks that goes on in the background. Holds its tensors.
class Running {
 public:
  virtual ~Running() = default;
  /// Waits until the tensor holds the result. Throws as the operations of Collectives.
  virtual void wait() = 0;
};

/// Carries tensors between the ranks of a group: the seam between the group and a library. Every
/// rank must call the same operations in the same order, with tensors of the same size and dtype.
/// Tensors are contiguous and in the memory that the library works on. Used by one thread.
///
/// An operation throws knead::Error (Exit::rank_lost) if another rank ended or did not answer
/// within the timeout. The object cannot be used after that.
class Collectives {
 public:
  virtual ~Collectives() = default;

  /// Begins to replace a tensor by its sum over ranks. All ranks get the same bits. The tensor must
  /// not be used before wait().
  virtual std::unique_ptr<Running> begin_sum(const at::Tensor& tensor) = 0;

  /// Overwrites a tensor by that of rank 0.
  virtual void copy_from_first(const at::Tensor& tensor) = 0;
};

}  // namespace knead::engine::parallel
