#pragma once

#include <string>

#include "schema/document/problem.h"

namespace knead::schema {

/// Describes a syntax error of yaml-cpp.
struct YamlFailure {
  std::size_t at = 0;   // byte offset
  std::string message;  // in yaml-cpp's words
  Place open_bracket;   // the innermost '{' or '[' still open, if any
};

/// Translates a syntax error into a problem that says what the user did and what to write instead.
/// The marks of yaml-cpp are exact, but its messages are terse. The messages are recognised by
/// their words in yaml-cpp 0.7; an unknown one is quoted as it is, so each failure gives a problem.
Problem explain_yaml_failure(const std::shared_ptr<const Source>& source,
                             const YamlFailure& failure);

/// Builds the problem of a '[' or '{' that is never closed.
Problem unclosed_bracket(const Place& bracket);

/// Builds the problem of a line that is indented with a tab.
Problem tab_problem(const std::shared_ptr<const Source>& source, std::size_t tab);

/// Returns the byte offset of the first tab in the indentation of the line that holds byte `at`, or
/// npos if its indentation has none.
std::size_t indentation_tab(const Source& source, std::size_t at);

}  // namespace knead::schema
