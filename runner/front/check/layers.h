#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/syntax/tree.h"

namespace knead::front {

/// Refers to an __init__ and names the class that defines it.
struct Init {
  /// The __init__, which lives as long as the source it is from; null if not found.
  const syntax::Function* function = nullptr;
  /// Name of the class that defines it.
  std::string owner;
};

// The functions of this header read the embedded source of torch.nn. They parse a class when it is
// first asked for and keep it for the life of the process, so that many recipes share it. Not
// thread-safe.

/// Returns whether torch.nn has this name, as a layer, a function or a submodule.
bool has_layer(std::string_view name);

/// Returns the __init__ of a layer, its own or that of a base; a null function if the source does
/// not show it or if a class on the way has a decorator. The function lives as long as the process.
Init init_of_layer(const std::string& name);

/// Returns the names of torch.nn that a hint may suggest: containers, Parameter and all layers
/// without a leading underscore. The views have static lifetime.
std::vector<std::string_view> layer_names();

}  // namespace knead::front
