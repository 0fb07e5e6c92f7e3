#include "runner/engine/model/module/inlined.h"

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/ir/scope.h>
#include <torch/csrc/jit/passes/inliner.h>

#include "runner/engine/model/module/graphs.h"
#include "runner/engine/model/module/run_bounds.h"

namespace knead::engine::model {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::GraphFunction;
using torch::jit::InlinedCallStackPtr;
using torch::jit::Node;

bool has_calls(Block& block) {
  for (Node* node : block.nodes()) {
    if (callee_of(*node)) return true;
    for (Block* inner : node->blocks()) {
      if (has_calls(*inner)) return true;
    }
  }
  return false;
}

/// The calls in which a node was, the outermost first: the called function and the place.
using Calls = std::vector<std::pair<torch::jit::Function*, torch::jit::SourceRange>>;

InlinedCallStackPtr stack_of(const Calls& calls) {
  InlinedCallStackPtr stack;
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    const auto& [function, at] = *call;
    stack = stack ? c10::make_intrusive<torch::jit::InlinedCallStack>(stack, function, at)
                  : c10::make_intrusive<torch::jit::InlinedCallStack>(function, at);
  }
  return stack;
}

/// Inlines the calls in the nodes from `node` up to `end`, which were inlined for `calls`. The
/// nodes of a callee are copied to their final graph at once, so each is copied once.
void inline_calls(Node* node, const Node* end, Calls& calls, const InlinedCallStackPtr& stack) {
  while (node != end) {
    Node* const next = node->next();
    if (stack) node->setCallStack(stack);
    for (Block* inner : node->blocks()) {
      inline_calls(*inner->nodes().begin(), inner->return_node(), calls, stack);
    }
    if (GraphFunction* callee = callee_of(*node)) {
      Node* const before = node->prev();
      calls.emplace_back(callee, node->sourceRange());
      // A callee without calls is optimised once for all its calls.
      const bool is_last = !has_calls(*callee->graph()->block());
      const auto graph = is_last ? callee->optimized_graph() : callee->graph();
      if (node->kind() == c10::prim::CallFunction) node->removeInput(0);
      torch::jit::inlineCallTo(node, callee, graph.get());
      inline_calls(before->next(), next, calls, stack_of(calls));
      calls.pop_back();
    }
    node = next;
  }
}

}  // namespace

std::unique_ptr<torch::jit::Function> inlined(torch::jit::Function& method) {
  GraphFunction& function = torch::jit::toGraphFunction(method);
  const std::shared_ptr<Graph> graph = function.graph()->copy();
  Calls calls;
  inline_calls(*graph->nodes().begin(), graph->return_node(), calls, {});
  bound_steps(*graph);
  auto result = std::make_unique<GraphFunction>(function.qualname(), graph, nullptr);
  torch::jit::Stack none;
  result->get_executor().getPlanFor(none);
  return result;
}

torch::jit::Function& kept_inlined(torch::jit::Function& method) {
  struct Kept {
    std::weak_ptr<Graph> of;  // another function may have the address of one that is gone
    std::unique_ptr<torch::jit::Function> function;
  };
  static std::mutex lock;
  static std::unordered_map<const torch::jit::Function*, Kept> all;
  GraphFunction* const function = torch::jit::tryToGraphFunction(method);
  if (!function) return method;
  const std::lock_guard guard(lock);
  Kept& kept = all[&method];
  if (!kept.function || kept.of.lock() != function->graph()) {
    kept = {function->graph(), inlined(method)};
  }
  return *kept.function;
}

}  // namespace knead::engine::model
