#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// Backward passes on the calling thread, for graphs that nobody has put hooks on. It calls the
/// same functions as LibTorch's engine, in the same order, and gives the same bits; what it leaves
/// out is the engine's bookkeeping for threads, streams and nested passes, which takes longer than
/// the work of a small model. A device has one stream here, so that order is all that it needs.
/// Graphs with hooks go to the engine. One thread.
class Backward {
 public:
  Backward();
  ~Backward();

  /// Adds the gradients of `root` times `gradient` to the leaves. The graph is used up.
  void run(const at::Tensor& root, const at::Tensor& gradient);

 private:
  struct Walk;
  std::unique_ptr<Walk> walk_;
};

}  // namespace knead::engine
