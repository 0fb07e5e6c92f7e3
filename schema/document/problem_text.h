#pragma once

#include <string>

#include "schema/document/problem.h"

namespace knead::schema {

/// Formats each problem for a terminal: "file:line:column: error: message [code]", the source line,
/// a mark under the place, and the hint. `colour` adds ANSI escape codes. The problems keep their
/// order, and every line ends with '\n'.
///
/// The source line is left out if its file is empty or could not be read, and replaced by a remark
/// if it holds a secret. A line of more than 120 columns is cut around the mark, which counts East
/// Asian letters as two columns. Control characters and invalid bytes of the line appear as '?',
/// those of the name of a file and of a message as shown_text() has them.
std::string to_text(const Problems& problems, bool colour = false);

}  // namespace knead::schema
