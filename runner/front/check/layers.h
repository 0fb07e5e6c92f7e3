#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/syntax/tree.h"

namespace knead::front {

/// An __init__, and the name of the class that it stands in.
struct Init {
  const syntax::Function* function = nullptr;
  std::string owner;
};

// torch.nn as models have it: its text, of which only what is asked for is parsed, once in the life
// of the process, so that many recipes share it. For one thread.

/// Whether torch.nn has this name, a layer or something else.
bool has_layer(std::string_view name);

/// The __init__ of a layer, its own or a base's; no function where its text does not say it.
Init init_of_layer(const std::string& name);

std::vector<std::string_view> layer_names();

}  // namespace knead::front
