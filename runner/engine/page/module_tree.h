#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"
#include "runner/engine/rehearse/rehearse.h"

namespace knead::engine {

/// Describes a parameter that a module owns directly, not through a submodule.
struct OwnParameter {
  std::string name;          // without the module's path
  std::string shape;         // "(64, 32)"; empty for an alias
  std::int64_t numbers = 0;  // elements; 0 for an alias
  std::string same_as;       // of an alias, the full name of the parameter; empty otherwise
};

/// Describes a module and its submodules for the plan's page.
struct ModuleNode {
  std::string name;  // within the parent
  model::ModuleFacts facts;
  ModuleUse use;
  std::int64_t parameters = 0;  // elements, with submodules; an alias counts 0
  std::int64_t trained = 0;     // elements of them that require gradients
  std::vector<OwnParameter> own;
  std::vector<ModuleNode> children;
};

/// Builds the tree of a model's modules. `uses` are in the order of Model::modules().
ModuleNode module_tree(const model::Model& model, const std::vector<ModuleUse>& uses);

/// Returns a table of modules, output shapes, parameters and forward FLOPs per sample. `samples` is
/// the number of samples that ModuleUse::work covers. Equal siblings share one line, followed by
/// the submodules of the first. Lines have at most 100 columns if the names are short enough.
std::string tree_text(const ModuleNode& root, std::uint64_t samples);

}  // namespace knead::engine
