#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "runner/engine/model/compile/torchscript.h"

namespace knead::engine::model {

/// Emits the reads of modules in a function that is being compiled. A module that is reached from
/// an input is read once, at the begin of the function: LibTorch takes time for each read of a
/// module that grows with the number of its attributes. Implemented beside
/// ModuleSugar, which reads most of them.
class Submodules {
 public:
  /// Returns the submodule `name` of `module`, which is a value of `graph`.
  jit::Value* read(jit::Graph& graph, jit::Value* module, const std::string& name,
                   const jit::SourceRange& at);

 private:
  const jit::Graph* graph_ = nullptr;  // of the function
  std::map<std::pair<const jit::Value*, std::string>, jit::Value*> values_;
  std::set<const jit::Value*> at_begin_;  // those of values_
  jit::Node* last_ = nullptr;             // the last of the reads
};

}  // namespace knead::engine::model
