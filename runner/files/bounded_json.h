#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "runner/files/budget.h"

namespace knead::files {

/// Parses JSON that a stranger may have written: counts the memory of each value, and how deep
/// values lie in each other, before it makes them. Throws nlohmann::json::parse_error if the text is
/// not JSON, and knead::Error, with the name of the budget, if it is beyond the budget.
nlohmann::json parse_bounded_json(std::string_view text, Budget& budget);

}  // namespace knead::files
