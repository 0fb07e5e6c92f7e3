#pragma once

#include <string>

#include "schema/document/problem.h"

namespace knead::schema {

/// What the parser knows when yaml-cpp gives up.
struct YamlFailure {
  std::size_t at = 0;   // byte offset
  std::string message;  // yaml-cpp's own words
  Place open_bracket;   // the innermost '{' or '[' not yet closed, if any
};

/// yaml-cpp's marks are exact and its words are poor: says what a person did, and what to write
/// instead.
Problem explain_yaml_failure(const std::shared_ptr<const Source>& source,
                             const YamlFailure& failure);

/// The problem of a '[' or '{' that the text never closes.
Problem unclosed_bracket(const Place& bracket);

/// The problem of a line that is indented with a tab.
Problem tab_problem(const std::shared_ptr<const Source>& source, std::size_t tab);

/// Byte offset of a tab in the indentation of the line that holds byte `at`; npos if there is none.
std::size_t indentation_tab(const Source& source, std::size_t at);

}  // namespace knead::schema
