#pragma once

#include <string>
#include <vector>

namespace knead::engine::model {

// What to say of a name that is not there, beyond what is near it in its own scope.

/// What to do where a module stands that models do not have, by its name or that of a thing in it:
/// "einops.rearrange", "torch.optim". Empty for one that nobody brings along.
std::string known_module(const std::string& name);

/// The same, or what is near, or what there is.
std::string instead_of(const std::string& module);

/// "Did you mean 'view'?" for "'Tensor' object has no attribute or method 'veiw'"; what to write in
/// place of numpy(). Empty where nothing is near.
std::string remedy_for_missing_method(const std::string& message);

/// The names of all operators, without those that begin with an underscore.
std::vector<std::string> operator_names();

}  // namespace knead::engine::model
