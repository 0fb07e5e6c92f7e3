#pragma once

#include <string>

namespace torch::jit {
struct Module;
}

namespace knead::engine::model {

// A TorchScript archive is a program that a stranger may have written. LibTorch runs a part of it
// while it loads it, and gives it all operators, those that write files among them.

/// Refuses an archive whose members are larger than those of any model, or unpack to far more than
/// the file holds, and one that runs code while it is loaded (__setstate__). `bytes` are those of
/// the file `name`. Throws knead::Error; c10::Error for an archive that LibTorch cannot read.
void check_contents(const std::string& bytes, const std::string& name);

/// Refuses a loaded module whose methods call an operator that a model must not call (see
/// permission.h), or are written out to too much code. Throws knead::Error.
void check_methods(const torch::jit::Module& module, const std::string& name);

}  // namespace knead::engine::model
