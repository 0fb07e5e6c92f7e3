#pragma once

#include <string_view>

namespace knead::engine::model {

/// Shows what the code of a model prints, on standard error: all of it while it is little, then
/// about a line in a second. What is left out is counted, and told before what is shown next.
/// Control characters are not shown. Thread-safe.
void show_of_model(std::string_view text);

}  // namespace knead::engine::model
