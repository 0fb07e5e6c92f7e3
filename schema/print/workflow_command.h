#pragma once

#include <string>
#include <utility>
#include <vector>

namespace knead::schema {

/// Returns a line that has GitHub show an annotation: "::error title=…,line=…::message". `level` is
/// error, warning or notice. Escapes as escapeData and escapeProperty of @actions/core do.
std::string workflow_command(const std::string& level,
                             const std::vector<std::pair<std::string, std::string>>& properties,
                             const std::string& message);

}  // namespace knead::schema
