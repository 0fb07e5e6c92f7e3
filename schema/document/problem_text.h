#pragma once

#include <string>

#include "schema/document/problem.h"

namespace knead::schema {

/// Formats each problem for a terminal: "file:line:column: error: message [code]", the source line,
/// a mark under the place, and the hint. `colour` adds ANSI escape codes.
std::string to_text(const Problems& problems, bool colour = false);

}  // namespace knead::schema
