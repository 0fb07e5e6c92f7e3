#pragma once

#include <string>

namespace knead::schema {

/// Returns a text as a cell of a csv file: in quotes if it has a comma, a quote or an end of line
/// (RFC 4180).
std::string csv_cell(const std::string& text);

}  // namespace knead::schema
