#include "runner/engine/model/module/node_places.h"

#include "runner/engine/model/module/graphs.h"

namespace knead::engine::model {
namespace {

/// Collects the places of an operator in all graphs of a model.
class Search {
 public:
  Search(const std::string& symbol, const Sources& sources)
      : symbol_(c10::Symbol::fromQualString(symbol)), sources_(sources) {}

  std::vector<schema::Place> in(const torch::jit::Module& module) {
    for (const auto& graph : graphs_of(*module.type()->compilation_unit())) {
      search(*graph->block());
    }
    for (const auto& child : module.modules()) {
      for (torch::jit::Function* method : child.type()->methods()) {
        // The forward of an interpreted model has no graph.
        if (auto* compiled = torch::jit::tryToGraphFunction(*method))
          search(*compiled->graph()->block());
      }
    }
    return std::move(places_);
  }

 private:
  void search(const torch::jit::Block& block) {
    for (const torch::jit::Node* node : block.nodes()) {
      for (const torch::jit::Block* inner : node->blocks()) search(*inner);
      if (node->kind() == symbol_) add(node->sourceRange());
    }
  }

  void add(const torch::jit::SourceRange& at) {
    for (const auto& source : sources_) {
      if (!at.source() || at.source()->filename() != source->name() || !source->is_file()) continue;
      // Specialisations of one function have nodes at one place.
      const bool is_new = places_.empty() || places_.back().begin != at.start();
      if (is_new) places_.push_back({source, at.start(), at.end()});
    }
  }

  c10::Symbol symbol_;
  const Sources& sources_;
  std::vector<schema::Place> places_;
};

}  // namespace

std::vector<schema::Place> places_of(const std::string& symbol, const Model::Parts& parts) {
  return Search(symbol, parts.sources).in(parts.module);
}

}  // namespace knead::engine::model
