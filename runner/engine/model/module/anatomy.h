#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/core/ivalue.h>

namespace knead::engine::model {

struct Object;

/// The class of a module and its main settings: "Linear", "64 → 128".
struct ModuleKind {
  std::string type;
  std::string words;  // empty if the class is not in the table of module_words()
};

/// A module of a model. Lists are in pre-order: a module precedes its submodules, and the model
/// itself is first. A module with several names is listed under each of them.
struct ModuleFacts {
  std::string path;  // "blocks.0.attention"; empty for the model
  ModuleKind kind;
  /// The earlier path of a shared module, whose submodules are not repeated; empty for others.
  std::string same_as;
  /// False for a module that is never called itself, such as a list of modules.
  bool has_forward = false;
};

/// The index of each module object in Model::modules(); a shared module has its first one.
using ModulePlaces = std::unordered_map<const void*, std::size_t>;

/// Receives the calls of a model's modules. `module` is an index into Model::modules(), for a
/// shared module the first one. Called on the thread that runs forward; the calls nest as the
/// modules do. An exception in forward leaves the modules that it passes without left().
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Called before the module runs.
  virtual void entered(std::size_t module) = 0;
  /// Called with the result of the module: a tensor, or what else its forward returns.
  virtual void left(std::size_t module, const c10::IValue& result) = 0;
};

/// Returns the class name and settings of each module by path, from the attributes that __init__
/// left. The model itself has the empty path.
std::map<std::string, ModuleKind> kinds_of(const Object& root);

}  // namespace knead::engine::model
