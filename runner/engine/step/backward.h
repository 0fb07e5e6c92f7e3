#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// Runs backward passes on the calling thread, for graphs without hooks. Calls the functions of a
/// graph in the order of LibTorch's engine and gives the same bits, without the engine's
/// bookkeeping for threads, streams and nested passes, which takes longer than the work of a small
/// model. A device has one stream here, so the order of the calls is the only synchronisation that
/// it needs. Graphs with hooks, and all graphs in anomaly mode, go to LibTorch's engine. Keeps its
/// memory between passes. Not thread-safe.
class Backward {
 public:
  /// Receives a leaf of a graph, such as a parameter.
  using IsReady = std::function<void(const at::Tensor& leaf)>;

  Backward();
  ~Backward();

  /// Adds the gradients of `root` times `gradient`, a tensor of the shape of `root`, to the leaves
  /// of its graph. Frees the graph's saved tensors, so that a graph is passed once. Records no
  /// graph of its own: gradients of gradients are not available. Throws LibTorch's error if `root`
  /// has no graph, and what the functions throw; the gradients added so far stay.
  ///
  /// Calls `is_ready`, if it is not empty, for each leaf once this pass adds no more to its
  /// gradient. A graph that goes to LibTorch's engine has no such calls.
  void run(const at::Tensor& root, const at::Tensor& gradient, const IsReady& is_ready = {});

 private:
  /// Holds the functions of one graph and the gradients that have reached them.
  struct Walk;
  std::unique_ptr<Walk> walk_;
};

}  // namespace knead::engine
