#pragma once

#include <string>

namespace knead::front {

/// Returns whether models have a package or a part of it, or Python itself has it: then only the
/// engine knows which names of it there are. `root` is the first part of a module's name: "torch".
bool is_known_package(const std::string& root);

}  // namespace knead::front
