#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"
#include "runner/engine/rehearse/rehearse.h"

namespace knead::engine {

/// A parameter that a module holds itself.
struct OwnParameter {
  std::string name;
  std::string shape;
  std::int64_t numbers = 0;
  std::string same_as;  // the name under which it is counted, where it has several
};

/// A module with those below it, as the model's page shows it.
struct ModuleNode {
  std::string name;  // within its parent
  model::ModuleFacts facts;
  ModuleUse use;
  std::int64_t parameters = 0;  // its own and those below it, each where it is named first
  std::int64_t trained = 0;     // those of them that are
  std::vector<OwnParameter> own;
  std::vector<ModuleNode> children;
};

ModuleNode module_tree(const model::Model& model, const std::vector<ModuleUse>& uses);

/// A table: modules, the shapes of what they give, parameters, the work of a sample in forward.
/// Siblings that are alike are one line, with those below the first of them. At most 100 columns
/// where names allow it.
std::string tree_text(const ModuleNode& root, std::uint64_t samples);

}  // namespace knead::engine
