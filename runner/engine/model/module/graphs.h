#pragma once

#include <memory>
#include <vector>

namespace torch::jit {
struct CompilationUnit;
struct Graph;
struct GraphFunction;
struct Node;
}  // namespace torch::jit

namespace knead::engine::model {

/// Returns the graphs of the functions of a unit. A function that was removed, and one that is
/// C++, have none.
std::vector<std::shared_ptr<torch::jit::Graph>> graphs_of(const torch::jit::CompilationUnit& unit);

/// Returns the function that a node calls; null if it calls none that has a graph.
torch::jit::GraphFunction* callee_of(torch::jit::Node& node);

}  // namespace knead::engine::model
