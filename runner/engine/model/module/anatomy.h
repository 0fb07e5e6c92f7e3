#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

namespace knead::engine::model {

struct Object;

/// What a module is: "Linear", "64 → 128".
struct ModuleKind {
  std::string type;
  std::string words;  // may be empty
};

/// A module of a model, before the modules below it; the first is the model itself.
struct ModuleFacts {
  std::string path;  // "blocks.0.attention"; empty: the model
  ModuleKind kind;
  std::string
      same_as;  // the path under which it was there before; what is below it is not repeated
  bool has_forward = false;  // a list of modules has none
};

/// Hears of the calls of a model's modules, by their places in Model::modules().
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void entered(std::size_t module) = 0;
  virtual void left(std::size_t module, const c10::IValue& result) = 0;
};

/// What the modules of a source are, by path: the names of their classes and what __init__ left.
std::map<std::string, ModuleKind> kinds_of(const Object& root);

}  // namespace knead::engine::model
