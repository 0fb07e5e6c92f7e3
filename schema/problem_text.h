#pragma once

#include <string>

#include "schema/problem.h"

namespace knead::schema {

/// Each problem as "file:line:column: error: message [code]", the line it is in, a mark under the
/// text and the hint.
std::string to_text(const Problems& problems, bool colour = false);

/// {"problems": [{code, severity, file, line, column, end_column, message, hint}], "errors": n,
/// "warnings": n}, a line. Columns count code points from 1; end_column is one past the last.
std::string to_json(const Problems& problems);

}  // namespace knead::schema
