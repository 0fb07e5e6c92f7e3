#pragma once

#include <string>

#include "schema/document/problem.h"

namespace knead::schema {

/// Each problem as "file:line:column: error: message [code]", the line it is in, a mark under the
/// text and the hint.
std::string to_text(const Problems& problems, bool colour = false);

}  // namespace knead::schema
