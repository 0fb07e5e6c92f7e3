#pragma once

#include <string_view>

namespace knead::engine::model {

/// Returns whether NumPy has a name, such as "numpy.fft" or "numpy.random.beta", that models do not
/// have. Takes time linear in the number of names (hundreds), so call it for messages only.
bool is_name_of_numpy(std::string_view name);

}  // namespace knead::engine::model
