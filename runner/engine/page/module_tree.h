#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"
#include "runner/engine/rehearse/rehearse.h"

namespace knead::engine {

/// Describes a parameter that a module owns directly, not through a submodule.
struct OwnParameter {
  /// Holds the name within its module: "weight".
  std::string name;
  /// Formats the dimensions, "(64, 32)"; empty for an alias.
  std::string shape;
  /// Counts the elements; 0 for an alias, which the owner of the tensor counts.
  std::int64_t numbers = 0;
  /// Holds the full name of the tied parameter for an alias; empty for a parameter.
  std::string same_as;
};

/// Describes a module and its submodules for the plan's page. A module that is reachable by two
/// paths has a node for each; the second node has `facts.same_as`, counts no parameters and has no
/// children.
struct ModuleNode {
  /// Holds the last part of the path: "0" for "blocks.0"; empty for the model.
  std::string name;
  model::ModuleFacts facts;
  ModuleUse use;
  /// Counts the elements of the module and of its submodules; a tied weight counts at its first
  /// name only.
  std::int64_t parameters = 0;
  /// Counts those of `parameters` that require gradients; less than `parameters` means frozen.
  std::int64_t trained = 0;
  /// Lists the parameters of the module itself, then the aliases, also of buffers, among its
  /// attributes.
  std::vector<OwnParameter> own;
  /// Lists the direct submodules in the order of registration.
  std::vector<ModuleNode> children;
};

/// Builds the tree of a model's modules. `uses` holds one item for each of Model::modules(), in
/// their pre-order; the tree copies it. Takes time proportional to modules times parameters.
ModuleNode module_tree(const model::Model& model, const std::vector<ModuleUse>& uses);

/// Returns a table of modules, output shapes, parameters and forward FLOPs per sample. `samples` is
/// the number of samples that ModuleUse::work covers; it must not be 0. Consecutive equal items of
/// a list share one line, named "0 … 11" with the count "12 ×", followed by the submodules of the
/// first: from two items on if they have submodules, otherwise from three on. Lines have at most
/// 100 columns if the names are short enough.
std::string tree_text(const ModuleNode& root, std::uint64_t samples);

}  // namespace knead::engine
