#pragma once

#include <string>

namespace knead::syntax {

/// Returns the remedy for a known module that models do not have, by its name or a name in it:
/// "timm.layers", "torch.optim". Returns an empty text for an unknown module.
std::string known_module(const std::string& name);

/// Returns the remedy for any module that models do not have: that of known_module(), a similar
/// name, or the modules that exist.
std::string instead_of(const std::string& module);

}  // namespace knead::syntax
