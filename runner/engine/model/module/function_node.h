#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

namespace knead::engine::model {

// Runs a torch.autograd.Function of a model: a graph has a node `knead::function` in the place of
// F.apply(…), and autograd calls the compiled backward.

/// A torch.autograd.Function as compiled functions. The compilation unit of the model owns them.
struct CompiledFunction {
  /// The name of the class, for messages.
  std::string name;
  /// Takes the context and the inputs of the node, returns a Tensor or a tuple of Tensors. With
  /// `setup`, it takes no context.
  torch::jit::Function* forward = nullptr;
  /// Takes the context, the inputs of apply() as a tuple, and the result of `forward`; null if
  /// `forward` takes the context. The tuple is the last input of the node.
  torch::jit::Function* setup = nullptr;
  /// Takes the context and a Tensor for each result of `forward`; returns a gradient or None for
  /// each argument of apply(), as a tuple if there are several.
  torch::jit::Function* backward = nullptr;
  /// The class of the context. Its attributes are those that the three functions assign.
  c10::ClassTypePtr context;
  /// The position of each input of the node among the arguments of apply(); the items of a tuple
  /// have the positions from this one on.
  std::vector<std::size_t> positions;
  /// The number of arguments of apply().
  std::size_t arguments = 0;
};

/// The attributes of a context that have a meaning: what save_for_backward() and its like keep.
inline constexpr const char* kSavedTensors = "saved_tensors";
inline constexpr const char* kNeedsInputGrad = "needs_input_grad";
inline constexpr const char* kNonDifferentiable = "non_differentiable";
inline constexpr const char* kDirty = "dirty";

/// Returns a new node that applies a function to values; its caller inserts it and sets the type of
/// its output.
torch::jit::Node* make_function_node(torch::jit::Graph& graph,
                                     std::shared_ptr<const CompiledFunction> function,
                                     at::ArrayRef<torch::jit::Value*> inputs);

/// Returns the name of a torch.autograd.Function that a module applies; empty if it applies none.
/// An archive cannot hold such a module.
std::string applied_function(const torch::jit::Module& module);

}  // namespace knead::engine::model
