#include "runner/engine/step/backward.h"

#include <queue>

#include <c10/core/GradMode.h>
#include <c10/util/flat_hash_map.h>
#include <torch/csrc/autograd/anomaly_mode.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>

namespace knead::engine {
namespace {

using torch::autograd::Edge;
using torch::autograd::Node;
using torch::autograd::variable_list;

/// Returns whether a function has hooks of any kind, which Walk does not call.
bool has_hooks(Node& node) {
  return !node.pre_hooks().empty() || !node.post_hooks().empty() ||
         !node.tensor_pre_hooks().empty() || !node.retains_grad_hooks().empty() ||
         node.tensor_post_acc_grad_hooks() != nullptr;
}

}  // namespace

/// Holds the state of one pass. Its memory is reused by the next pass.
struct Backward::Walk {
  struct Visit {
    Node* node;
    int waits_for = 0;  // incoming edges whose gradient has not arrived yet
    variable_list gradients;
  };
  struct Ready {
    std::uint64_t sequence;
    std::size_t visit;
    bool operator<(const Ready& other) const { return sequence < other.sequence; }
  };

  std::vector<Visit> visits;
  ska::flat_hash_map<Node*, std::size_t> places;
  std::priority_queue<Ready> ready;  // the latest function first, as in LibTorch's engine

  /// Finds all functions below `root` and counts their incoming edges. Returns false if one of them
  /// has hooks, which only LibTorch's engine calls.
  bool explore(Node* root) {
    visits.clear();
    places.clear();
    ready = {};  // a pass that threw leaves entries
    add(root);
    for (std::size_t i = 0; i < visits.size(); ++i) {
      Node& node = *visits[i].node;
      if (has_hooks(node)) return false;
      for (const Edge& edge : node.next_edges()) {
        if (edge.is_valid()) ++visits[add(edge.function.get())].waits_for;
      }
    }
    return true;
  }

  /// Returns the place of a function in `visits`; adds the function if it is new.
  std::size_t add(Node* node) {
    const auto [found, is_new] = places.emplace(node, visits.size());
    if (is_new) visits.push_back({node, 0, {}});
    return found->second;
  }

  /// Calls the functions as they become ready and frees what they have saved for backward.
  void run(const IsReady& is_ready) {
    while (!ready.empty()) {
      const std::size_t visit = ready.top().visit;
      ready.pop();
      Node& node = *visits[visit].node;
      // Moved out of the visit: a function need not consume its argument, and the gradients would
      // then stay in memory until the end of the pass.
      variable_list arrived = std::move(visits[visit].gradients);
      variable_list gradients = node(std::move(arrived));
      node.release_variables();
      torch::autograd::validate_outputs(node.next_edges(), gradients,
                                        [](const std::string& message) { return message; });
      for (std::size_t i = 0; i < gradients.size(); ++i) pass_on(node.next_edge(i), gradients[i]);
      // Only the function of a leaf has no function behind it.
      if (!is_ready || node.num_outputs() != 0) continue;
      if (const auto* leaf = dynamic_cast<torch::autograd::AccumulateGrad*>(&node))
        is_ready(leaf->variable);
    }
  }

  /// Adds a gradient to the input of the function at the end of `edge`. The function becomes ready
  /// when all of its gradients have arrived, undefined ones too.
  void pass_on(const Edge& edge, at::Tensor& gradient) {
    if (!edge.is_valid()) return;
    const std::size_t place = places.at(edge.function.get());
    Visit& visit = visits[place];
    if (gradient.defined()) {
      at::Tensor& slot = slot_of(visit, edge.input_nr);
      slot = slot.defined() ? slot.add(gradient) : std::move(gradient);
    }
    if (--visit.waits_for == 0) {
      slot_of(visit, 0);  // makes the list of gradients, also if none of them is defined
      ready.push({visit.node->sequence_nr(), place});
    }
  }

  /// Returns the sum of the gradients so far for one input of a function; undefined if none.
  static at::Tensor& slot_of(Visit& visit, std::size_t input) {
    if (visit.gradients.empty()) visit.gradients.resize(visit.node->num_inputs());
    return visit.gradients[input];
  }
};

Backward::Backward() : walk_(std::make_unique<Walk>()) {}
Backward::~Backward() = default;

void Backward::run(const at::Tensor& root, const at::Tensor& gradient, const IsReady& is_ready) {
  Node* node = root.grad_fn().get();
  // LibTorch's engine also gives the messages for a root without a graph.
  if (!node || torch::autograd::AnomalyMode::is_enabled() || !walk_->explore(node)) {
    root.backward(gradient);
    return;
  }
  const c10::AutoGradMode no_gradients_of_gradients(false);
  Walk& walk = *walk_;
  Walk::slot_of(walk.visits[0], root.output_nr()) = gradient;
  walk.ready.push({node->sequence_nr(), 0});
  walk.run(is_ready);
}

}  // namespace knead::engine
