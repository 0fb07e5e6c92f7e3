#pragma once

#include <string>

namespace knead::schema {

/// Returns the language reference as Markdown: the text rules, every key, every kind of problem.
std::string reference_page();

}  // namespace knead::schema
