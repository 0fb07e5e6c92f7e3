#pragma once

#include <string>
#include <vector>

namespace knead::engine::model {

// Remedies for names that do not exist in models, beyond similar names of the same scope.

/// Returns the remedy for the message "'Tensor' object has no attribute or method 'veiw'": a
/// similar name, or a replacement for numpy(). Returns an empty text if no name is similar.
std::string remedy_for_missing_method(const std::string& message);

/// Returns whether a name is one of a module of Python's standard library of which models have a
/// part: "pickle.load". Whether Python has the name is not known.
bool is_of_standard_library(const std::string& name);

/// Returns the names of all LibTorch operators that do not begin with an underscore, sorted. Takes
/// time linear in their number (thousands), so call it for messages only.
std::vector<std::string> operator_names();

}  // namespace knead::engine::model
